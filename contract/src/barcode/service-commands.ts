import type { BuilderDevice } from './catalogue.ts'
import { canonicalCommand, parseCommand, resetCommand } from './commands.ts'
import { unplacedSettings } from './unplaced-settings.ts'

/** A known command that no option sends. `danger`: what it does beyond settings, as a sentence. */
export interface ServiceCommand {
  name: string
  danger: string | null
  /** Null where only the command's subsystem is known. */
  devices: readonly BuilderDevice[] | null
}

interface Danger {
  name: string
  sentence: string
  matches: (command: { subsystem: string; object: string; verb: string; parameters: readonly { name: string }[] }) => boolean
}

const dangers: readonly Danger[] = [
  {
    name: 'Run a script',
    sentence: 'It runs a program on the reader.',
    matches: ({ subsystem, verb }) => subsystem === 'JS' && verb === 'X',
  },
  {
    name: 'Write a file',
    sentence: 'It writes a file to the reader, such as a program or firmware.',
    matches: ({ subsystem, object }) => subsystem === 'RD' && /^F[SD]$/.test(object),
  },
  {
    name: 'Clear the pairing',
    sentence: 'The reader loses its charging base or host, and must be paired again.',
    matches: ({ subsystem, object, verb, parameters }) =>
      subsystem === 'BT' &&
      verb === 'X' &&
      parameters.some((one) => `${object}${one.name}` === 'RDCC' || `${object}${one.name}` === 'BRDC'),
  },
  {
    name: 'Restart the reader',
    sentence: 'The reader restarts, and what follows may be lost.',
    matches: ({ subsystem, object, verb, parameters }) =>
      subsystem === 'RD' && object === 'CM' && verb === 'X' && parameters.some((one) => one.name === 'RB'),
  },
  {
    name: 'Reset to factory settings',
    sentence: 'It restores factory settings.',
    matches: ({ subsystem, object, verb }) => subsystem === 'CF' && object === '' && verb === 'R',
  },
]

const named = new Map<string, { name: string; devices: readonly BuilderDevice[] }>()
// A setting of one command names it better than one that sends it among others.
for (const { commands, description, devices } of unplacedSettings.toSorted((a, b) => a.commands.length - b.commands.length))
  for (const command of commands) if (command !== resetCommand && !named.has(command)) named.set(command, { name: description, devices })

/** Null for a command of which nothing is known. */
export function findServiceCommand(text: string): ServiceCommand | null {
  const known = named.get(canonicalCommand(text))
  const danger = findDanger(text)
  if (!known && !danger) return null
  return { name: known?.name ?? danger!.name, danger: danger?.sentence ?? null, devices: known?.devices ?? null }
}

function findDanger(text: string): Danger | undefined {
  const command = parseCommand(text)
  if ('problem' in command) return findByBeginning(text)
  const inner = command.parameters[0]?.value.startsWith('[') ? command.parameters[0].value.slice(1, -1) : null
  return inner === null ? dangers.find(({ matches }) => matches(command)) : findDanger(inner)
}

/** A reader may take a command that the known grammar refuses. */
const findByBeginning = (text: string): Danger | undefined =>
  /^JS..X/.test(text) ? dangers[0] : /^RDF[SD]/.test(text) ? dangers[1] : undefined
