/** Widths of windows in px (LAY-01). */
export const widths = [320, 390, 640, 660, 768, 834, 900, 960, 1024, 1112, 1280, 1440, 1920]

/** How a page is looked at. */
export interface Mode {
  width: number
  height: number
  isDark: boolean
  /** The text spacing of WCAG 1.4.12. */
  isSpaced: boolean
  hasForcedColours: boolean
  /** The browser's font size is 200 %. */
  isLarge: boolean
}

const heights = (width: number) => (width < 640 ? 844 : 900)
/** At a font size of 200 % a window of 640 px is like one of 320 px for its text, the narrowest at which it must reflow (WCAG 1.4.10). */
const fitsLarge = (width: number) => width >= 640
/** A window of 1280 × 1024 px at 400 % (WCAG 1.4.10). */
export const zoomed = { width: 320, height: 256 }

export const plain = { isDark: false, isSpaced: false, hasForcedColours: false, isLarge: false }
export const plainModes: Mode[] = widths.map((width) => ({ ...plain, width, height: heights(width) }))

/**
 * Every width with every mode, in pairs: each window is shown twice, with opposite modes. The modes of successive windows are the rows of
 * an orthogonal array, so that all pairs of modes occur too.
 */
export const pairedModes: Mode[] = [zoomed, ...widths.map((width) => ({ width, height: heights(width) }))].flatMap((window, index) => {
  const [a, b] = [index % 2 === 1, index % 4 > 1]
  const first = { ...window, isDark: a, isSpaced: b, hasForcedColours: a !== b, isLarge: fitsLarge(window.width) && index % 8 > 3 }
  return [
    first,
    {
      ...window,
      isDark: !first.isDark,
      isSpaced: !first.isSpaced,
      hasForcedColours: !first.hasForcedColours,
      isLarge: fitsLarge(window.width) && !first.isLarge,
    },
  ]
})

export function nameMode({ width, height, isDark, isSpaced, hasForcedColours, isLarge }: Mode): string {
  const names = [isDark && 'dark', isSpaced && 'text spacing', hasForcedColours && 'forced colours', isLarge && 'font 200 %']
  return [`${width} × ${height}`, ...names.filter((name) => name !== false)].join(', ')
}
