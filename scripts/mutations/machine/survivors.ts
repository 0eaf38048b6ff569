/** A mutant that no test can kill, as the product does the same with it. */
interface Survivor {
  file: string
  /** The line it begins in, without the blanks around it. */
  line: string
  original: string
  replacement: string
  reason: string
}

export const survivors: readonly Survivor[] = [
  {
    file: 'web/src/barcode/builder/option-control.tsx',
    line: "disabled={option.evidence === 'unknown'}",
    original: "option.evidence === 'unknown'",
    replacement: 'false',
    reason: 'No option of the catalogue that is only switched on, or only off, has unknown commands.',
  },
]
