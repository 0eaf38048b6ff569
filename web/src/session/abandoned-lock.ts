/** The identity library stores under these keys which tab may retrieve a token. */
const prefix = 'browser-tabs-lock-key-'

const lockKeys = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith(prefix))

/**
 * Releases this page's token lock when the page goes. The library does so too, except within the tenth of a second in which it takes the
 * lock: a reload at that moment would wait 5 to 10 s. Locks of other tabs stay.
 * @returns a function that stops
 */
export function releaseLockOnLeaving(): () => void {
  // Storage events come from other tabs only.
  const ofOthers = new Map<string, string | null>()
  const listen = ({ key, newValue }: StorageEvent) => {
    if (key?.startsWith(prefix)) ofOthers.set(key, newValue)
  }
  const release = () => {
    for (const key of lockKeys()) if (localStorage.getItem(key) !== ofOthers.get(key)) localStorage.removeItem(key)
  }
  try {
    for (const key of lockKeys()) ofOthers.set(key, localStorage.getItem(key))
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
