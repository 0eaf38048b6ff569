import { useEffect, useEffectEvent } from 'react'

/** The part that reads barcodes could not be loaded. */
export class NoConnection extends Error {}

/** @throws NoConnection where it cannot be loaded */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (cause) {
    throw new NoConnection('No connection.', { cause })
  }
}

/** While something is missing, calls `retry` each time that the connection returns. */
export function useRetryOnline(isMissing: boolean, retry: () => void): void {
  const again = useEffectEvent(retry)
  useEffect(() => {
    if (!isMissing) return
    const listening = new AbortController()
    addEventListener('online', () => again(), { signal: listening.signal })
    return () => listening.abort()
  }, [isMissing])
}
