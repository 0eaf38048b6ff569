const lost = new WeakSet<Error>()

/** Remembers which errors mean that a part of the app could not be fetched: the network failed, or a newer version took its place. */
export function watchLostModules(): void {
  addEventListener('vite:preloadError', ({ payload }) => void lost.add(payload))
}

/** Whether only another load of the page can help. */
export const isLostModule = (error: unknown): boolean => error instanceof Error && lost.has(error)
