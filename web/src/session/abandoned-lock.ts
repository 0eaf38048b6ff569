/** Under keys that begin so, the identity library keeps which tab may retrieve a token. */
const prefix = 'browser-tabs-lock-key-'

const lockKeys = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith(prefix))

/**
 * Gives back, when this page goes, the lock that it took to retrieve a token. The library does so too, but for the tenth of a second in which it takes
 * the lock: whoever reloads just then would wait 5 to 10 s for a page that is gone. Other tabs' locks stay. Answers how to stop.
 */
export function releaseLockOnLeaving(): () => void {
  // A tab hears of what others store, and not of what it stores itself.
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
