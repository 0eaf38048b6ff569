const lost = new WeakSet<Error>()

// A part of the app cannot be loaded when the network fails, or after an update.
export function watchLostModules(): void {
  addEventListener('vite:preloadError', ({ payload }) => void lost.add(payload))
}

export const isLostModule = (error: unknown): boolean => error instanceof Error && lost.has(error)
