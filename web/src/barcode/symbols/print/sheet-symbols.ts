import type { BuilderDevice, Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import type { Refusal } from '@lectern/contract/barcode/commands.ts'
import { resetCommand } from '@lectern/contract/barcode/commands.ts'
import { keepLast, payloadProblem, splitCommands } from '@lectern/contract/barcode/configuration-payload.ts'
import { commandGroups } from '@lectern/contract/barcode/selection.ts'
import { readSelection } from '@lectern/contract/barcode/selection-reading.ts'
import { type ConfigurationSymbol, encodeSymbol } from '../symbol.ts'

/**
 * Encodes a list of commands in symbols, in the order of scanning: one where all fit, else as few as the commands' order allows. Commands
 * of an option stay together where the list has the builder's order.
 */
export function encodeSymbols(catalogue: Catalogue, device: BuilderDevice, list: readonly string[]): ConfigurationSymbol[] | Refusal {
  const reset = list[0] === resetCommand
  const commands = keepLast(reset ? list.slice(1) : list)
  if (payloadProblem({ commands, reset }) === null) return [encodeSymbol({ commands, reset })]
  const payloads = splitCommands(splitIntoGroups(catalogue, device, commands), { reset })
  return 'problem' in payloads ? payloads : payloads.map(encodeSymbol)
}

/** Groups the commands by option where that keeps their order; else each command is alone. */
function splitIntoGroups(catalogue: Catalogue, device: BuilderDevice, commands: readonly string[]): string[][] {
  const { selection, unknown } = readSelection(catalogue, device, commands)
  const groups = [...commandGroups(catalogue, device, selection).map((group) => group.commands), ...unknown.map((command) => [command])]
  const isSameOrder = keepLast(groups.flat()).join('\n') === commands.join('\n')
  return isSameOrder ? groups : commands.map((command) => [command])
}

/** "1 of 2, scan in order"; empty for a single symbol. */
export const formatPart = (index: number, count: number): string => (count > 1 ? `${index + 1} of ${count}, scan in order` : '')
