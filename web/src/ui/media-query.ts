import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query holds now, e.g. `(width < 40rem)`; renders again when that changes. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

/** Whether the screen is a telephone's: below 640 px, where tables become records. */
export function useNarrow(): boolean {
  return useMediaQuery('(width < 40rem)')
}
