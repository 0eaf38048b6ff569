import { BuilderDevice, type Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { resetCommand } from '@lectern/contract/barcode/commands.ts'
import { describe, type SelectionLine } from '@lectern/contract/barcode/selection.ts'
import { readSelection } from '@lectern/contract/barcode/selection-reading.ts'
import type { SavedConfiguration } from '@lectern/contract/library.ts'
import { paths } from '../paths.ts'

/** What a saved configuration does, in words. */
export interface Reading {
  /** Null for a reader that the builder makes no configurations for. */
  device: BuilderDevice | null
  reset: boolean
  lines: SelectionLine[]
  /** Commands that no option of the reader sends. */
  unknown: readonly string[]
  /** Commands that later ones undo. */
  overridden: readonly string[]
}

/** Names what a saved configuration sets. Of a reader that is not supported, every command stands as it is. */
export function readConfiguration(catalogue: Catalogue, configuration: SavedConfiguration): Reading {
  const device = BuilderDevice.safeParse(configuration.device).data ?? null
  const commands = configuration.commands
  if (device === null) {
    const reset = commands[0] === resetCommand
    return { device, reset, lines: [], unknown: reset ? commands.slice(1) : commands, overridden: [] }
  }
  const { selection, ...rest } = readSelection(catalogue, device, commands)
  return { device, ...rest, lines: describe(catalogue, device, selection) }
}

/** Tells the configurations of a library apart: a name is taken once for each reader. */
export const getKey = ({ device, name }: Pick<SavedConfiguration, 'device' | 'name'>): string => `${device} ${name}`

/** The address of a configuration's builder, or of its barcode. */
export function savedConfigurationPath({ device, commands }: SavedConfiguration, page: 'builder' | 'success'): string {
  const query = { config: JSON.stringify(commands) }
  return page === 'success' ? paths.printSave({ device }, query) : paths.builder({ device }, query)
}
