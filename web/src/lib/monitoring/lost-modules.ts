const lost = new WeakSet<Error>()

// Watches for parts of the app that cannot be loaded, as the network fails or the app was updated.
export function watchLostModules(): void {
  addEventListener('vite:preloadError', ({ payload }) => void lost.add(payload))
}

export const isLostModule = (error: unknown): boolean => error instanceof Error && lost.has(error)
