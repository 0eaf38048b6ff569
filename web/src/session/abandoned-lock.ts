// The prefix of keys under which the identity library stores which tab may fetch a token.
const prefix = 'browser-tabs-lock-key-'

const listLockKeys = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith(prefix))

/**
 * Releases this page's token lock when the page is left. The library does so too, except within the 0.1 s in which it takes the lock; a
 * reload then would wait 5 to 10 s.
 * @returns a function that stops
 */
export function releaseLockOnLeaving(): () => void {
  // Storage events come from other tabs only.
  const ofOthers = new Map<string, string | null>()
  const listen = ({ key, newValue }: StorageEvent) => {
    if (key?.startsWith(prefix)) ofOthers.set(key, newValue)
  }
  const release = () => {
    for (const key of listLockKeys()) if (localStorage.getItem(key) !== ofOthers.get(key)) localStorage.removeItem(key)
  }
  try {
    for (const key of listLockKeys()) ofOthers.set(key, localStorage.getItem(key))
  } catch {
    // Where storage is forbidden there is no lock.
    return () => {}
  }
  addEventListener('storage', listen)
  addEventListener('pagehide', release)
  return () => {
    removeEventListener('storage', listen)
    removeEventListener('pagehide', release)
  }
}
