/** The text stored locally under a key; null when there is none, or when the browser forbids storage. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Forgets the text stored under a key. */
export function removeStored(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Where storage is forbidden nothing was stored.
  }
}

/** Calls back when another tab changes what is stored under a key, with null when it is gone. Answers how to stop. */
export function watchStored(key: string, changed: (value: string | null) => void): () => void {
  // Clearing the whole storage is announced without a key.
  const listen = (event: StorageEvent) => {
    if (event.storageArea === localStorage && (event.key === key || event.key === null)) changed(readStored(key))
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}
