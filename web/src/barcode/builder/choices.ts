import { type BuilderDevice, type Catalogue, listOptions } from '@lectern/contract/barcode/catalogue.ts'
import { evidenceFor } from '@lectern/contract/barcode/catalogue-devices.ts'
import { parseAssignments, resetCommand } from '@lectern/contract/barcode/commands.ts'
import {
  commandListProblem,
  encodePayload,
  keepLast,
  payloadCapacity,
  splitCommands,
} from '@lectern/contract/barcode/configuration-payload.ts'
import { findUnmet } from '@lectern/contract/barcode/requirements.ts'
import {
  commandGroups,
  describe,
  type Selection,
  type SelectionLine,
  selectionProblems,
  valueName,
} from '@lectern/contract/barcode/selection.ts'
import { findConflicts } from '@lectern/contract/barcode/selection-conflicts.ts'
import { readSelection } from '@lectern/contract/barcode/selection-reading.ts'
import * as z from 'zod/mini'

export interface Choices {
  /** Whether the factory settings are restored first. */
  reset: boolean
  selection: Selection
  /** Commands of a link that no option of the reader sends. They are sent last. */
  unknown: readonly string[]
}

export const noChoices: Choices = { reset: false, selection: {}, unknown: [] }

export const isEmpty = ({ reset, selection, unknown }: Choices): boolean =>
  !reset && unknown.length === 0 && Object.keys(selection).length === 0

export interface Opened {
  choices: Choices
  /** Commands of the link that later ones undo. They are left out. */
  overridden: string[]
  /** The link's configuration is not a list of texts. */
  isBroken: boolean
}

const Commands = z.array(z.string())

/** Reads the parameter `config`: a JSON list of commands. */
export function readChoices(catalogue: Catalogue, device: BuilderDevice, config: string | null): Opened {
  if (config === null) return { choices: noChoices, overridden: [], isBroken: false }
  const commands = Commands.safeParse(parseJson(config))
  if (!commands.success) return { choices: noChoices, overridden: [], isBroken: true }
  const { overridden, ...choices } = readSelection(catalogue, device, commands.data)
  return { choices, overridden, isBroken: false }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface Outcome {
  lines: SelectionLine[]
  /** Sentences by option id. */
  problems: ReadonlyMap<string, string>
  /** About choices that set the same, or have no effect beside others. */
  conflicts: string[]
  inferred: string[]
  /** With the reset first. */
  commands: string[]
  bytes: number
  symbols: number
  /** Why no barcode can be made; null where one can. */
  refusal: string | null
}

/** Values that cannot be chosen send nothing. */
export function toOutcome(catalogue: Catalogue, device: BuilderDevice, choices: Choices): Outcome {
  const { reset, unknown, selection } = choices
  const problems = selectionProblems(catalogue, device, selection)
  const sound = Object.fromEntries(Object.entries(selection).filter(([id]) => !problems.has(id)))
  const sent = commandGroups(catalogue, device, sound)
  const groups = [...sent.map(({ commands }) => commands), ...unknown.map((command) => [command])]
  const commands = keepLast(groups.flat())
  const size = measureChoices(groups, { commands, reset })
  const wrong = listOptions(catalogue).find(({ id }) => problems.has(id))
  return {
    lines: describe(catalogue, device, selection),
    problems,
    conflicts: [
      ...findConflicts(catalogue, device, sound).map(({ sentence }) => sentence),
      ...findUnmet(catalogue, device, sound, reset),
      ...unknown.flatMap((command) => sent.flatMap((group) => findConflict(group, command))),
    ],
    inferred: sent.filter(({ option, value }) => evidenceFor(option, device, value) === 'inferred').map(({ option }) => option.label),
    commands: reset ? [resetCommand, ...commands] : commands,
    bytes: size.bytes,
    symbols: size.symbols,
    refusal: isEmpty(choices) ? 'Choose an option first.' : wrong ? `Correct “${wrong.label}” first.` : size.problem,
  }
}

type Sent = ReturnType<typeof commandGroups>[number]

function findConflict({ option, value, commands }: Sent, unknown: string): string[] {
  const sets = new Map(commands.flatMap((command) => [...parseAssignments(command)]))
  const shared = [...parseAssignments(unknown)].filter(([name, to]) => sets.has(name) && sets.get(name) !== to).map(([name]) => name)
  if (shared.length === 0) return []
  return [
    `"${option.label}: ${valueName(option, value)}" and the command "${unknown}" set ${shared.join(', ')} to different values; the reader keeps the second.`,
  ]
}

function measureChoices(
  groups: string[][],
  list: { commands: string[]; reset: boolean },
): { bytes: number; symbols: number; problem: string | null } {
  const nothing = { bytes: 0, symbols: 0 }
  if (list.commands.length === 0 && !list.reset) return { ...nothing, problem: null }
  const problem = commandListProblem(list)
  if (problem) return { ...nothing, problem }
  const payloads = splitCommands(groups, { reset: list.reset })
  if ('problem' in payloads) return { ...nothing, problem: payloads.problem }
  const bytes = payloads.reduce((sum, payload) => sum + encodePayload(payload).length, 0)
  return { bytes, symbols: payloads.length, problem: null }
}

/** In bytes. */
export const capacity = payloadCapacity
