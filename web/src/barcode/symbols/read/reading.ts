import type { BuilderDevice, Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { describe, type SelectionLine } from '@lectern/contract/barcode/selection.ts'
import { readSelection } from '@lectern/contract/barcode/selection-reading.ts'
import { counted } from '@lectern/contract/text/numbers.ts'

export interface Reading {
  reset: boolean
  lines: SelectionLine[]
  /** Commands that no option of the reader sends. */
  unknown: readonly string[]
  /** Commands that later ones undo. */
  overridden: readonly string[]
}

export function readCommands(catalogue: Catalogue, device: BuilderDevice, commands: readonly string[]): Reading {
  const { selection, ...rest } = readSelection(catalogue, device, commands)
  return { ...rest, lines: describe(catalogue, device, selection) }
}

/** Says how much it is: "11 options", "2 options, 1 other command", "reset". */
export function formatContent({ reset, lines, unknown }: Reading): string {
  const options = lines.length > 0 ? [counted(lines.length, 'option')] : []
  const others = unknown.length > 0 ? [counted(unknown.length, options.length > 0 ? 'other command' : 'command')] : []
  return [...options, ...others].join(', ') || (reset ? 'reset' : '')
}
