import { BuilderDevice, type Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { resetCommand } from '@lectern/contract/barcode/commands.ts'
import { describe, type SelectionLine } from '@lectern/contract/barcode/selection.ts'
import { readSelection } from '@lectern/contract/barcode/selection-reading.ts'
import { paths } from '../paths.ts'

/** Commands of the builder, and their device. */
export interface CommandsFor {
  device: string
  commands: readonly string[]
}

export interface Reading {
  /** Null for a device that the builder does not support. */
  device: BuilderDevice | null
  reset: boolean
  lines: SelectionLine[]
  /** Commands that no option of the device sends. */
  unknown: readonly string[]
  /** Commands that later ones undo. */
  overridden: readonly string[]
}

/** Reads the options of a saved configuration. For an unsupported device every command is unknown. */
export function readConfiguration(catalogue: Catalogue, configuration: CommandsFor): Reading {
  const device = BuilderDevice.safeParse(configuration.device).data ?? null
  const commands = configuration.commands
  if (device === null) {
    const reset = commands[0] === resetCommand
    return { device, reset, lines: [], unknown: reset ? commands.slice(1) : commands, overridden: [] }
  }
  const { selection, ...rest } = readSelection(catalogue, device, commands)
  return { device, ...rest, lines: describe(catalogue, device, selection) }
}

export function savedConfigurationPath({ device, commands }: CommandsFor, page: 'builder' | 'success'): string {
  const query = { config: JSON.stringify(commands) }
  return page === 'success' ? paths.printSave({ device }, query) : paths.builder({ device }, query)
}
