import { useMemo, useSyncExternalStore } from 'react'

const areForced = '(forced-colors: active)'
// Where colours are forced; all others are `CanvasText`.
const forcedColours: Record<string, string> = {
  surface: 'Canvas',
  'on-graphite': 'Canvas',
  accent: 'Highlight',
  rule: 'GrayText',
  'rule-2': 'GrayText',
}

function subscribe(changed: () => void) {
  const forced = matchMedia(areForced)
  forced.addEventListener('change', changed)
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => {
    forced.removeEventListener('change', changed)
    observer.disconnect()
  }
}

function paint(colour: string): readonly number[] {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!context) return [0, 0, 0]
  context.fillStyle = colour
  context.fillRect(0, 0, 1, 1)
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)]
}

export type Colour = (token: string, opacity?: number) => string

export function useThemeColours(): Colour {
  const theme = useSyncExternalStore(subscribe, () => `${document.documentElement.dataset.theme} ${matchMedia(areForced).matches}`)
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement)
    const isForced = matchMedia(areForced).matches
    const read = (token: string) => (isForced ? (forcedColours[token] ?? 'CanvasText') : style.getPropertyValue(`--${token}`))
    const known = new Map<string, readonly number[]>()
    return (token, opacity = 1) => {
      const colour = known.get(token) ?? paint(read(token))
      known.set(token, colour)
      return `rgba(${colour.join(', ')}, ${opacity})`
    }
  }, [theme])
}
