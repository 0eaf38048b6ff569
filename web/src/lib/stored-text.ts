/** Null without a value, or where the browser forbids storage. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Where storage is forbidden or full, nothing is stored. */
export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // What was stored before is of another time.
    removeStored(key)
  }
}

export function removeStored(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Where storage is forbidden nothing was stored.
  }
}

/** Calls back when another tab changes the value, with null when it is removed. @returns how to stop */
export function watchStored(key: string, changed: (value: string | null) => void): () => void {
  // Clearing the whole storage is announced without a key.
  const listen = (event: StorageEvent) => {
    if (event.storageArea === localStorage && (event.key === key || event.key === null)) changed(readStored(key))
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}

// Of the keys in this tab's storage under which a form keeps what was entered.
export const draftPrefix = 'draft/'

export function listDrafts(): string[] {
  try {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(draftPrefix))
  } catch {
    return []
  }
}

export function removeDrafts(isMeant: (key: string) => boolean = () => true): void {
  for (const key of listDrafts()) if (isMeant(key)) sessionStorage.removeItem(key)
}

// Whether a write failed as the browser has no room left for this site.
export const isStorageFull = (error: unknown): boolean => error instanceof DOMException && /quota/i.test(error.name)
