/** Returns null without a value, or where the browser forbids storage. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores nothing where storage is forbidden or full. */
export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // The value stored before is outdated.
    removeStored(key)
  }
}

export function removeStored(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Where storage is forbidden, nothing was stored.
  }
}

export function listStored(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  } catch {
    return []
  }
}

/**
 * Calls back when another tab changes the value; null when it is removed.
 * @returns a function that stops
 */
export function watchStored(key: string, changed: (value: string | null) => void): () => void {
  // Clearing the whole storage is an event without a key.
  const listen = (event: StorageEvent) => {
    if (event.storageArea === localStorage && (event.key === key || event.key === null)) changed(readStored(key))
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}

// The prefix of keys in the tab's storage under which forms keep what was entered.
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

// Whether a write failed as the browser has no space left for this site.
export const isStorageFull = (error: unknown): boolean => error instanceof DOMException && /quota/i.test(error.name)
