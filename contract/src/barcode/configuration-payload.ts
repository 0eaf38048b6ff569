import { commandProblem, type Refusal, resetCommand } from './commands.ts'
import { encodeEnvelope, endOfEnvelope, endOfPart, envelopeStart } from './envelope.ts'

/** Bytes: QR Code version 40, error correction L, byte mode. */
export const payloadCapacity = 2953

/** `reset`: the factory settings are restored before the commands (spec §2). */
export interface Payload {
  commands: string[]
  reset: boolean
}

export function keepLast(commands: readonly string[]): string[] {
  return [...new Set(commands.toReversed())].reverse()
}

function commandsToSend({ commands, reset }: Payload): string[] {
  const list = keepLast(commands.map(escapeBytes))
  return reset ? [resetCommand, ...list.filter((command) => command !== resetCommand)] : list
}

/** Bytes over 7E stand in a text only, where they are written `/hh`. */
const escapeBytes = (command: string): string => command.replace(/[\x80-\xff]/g, (byte) => `/${byte.charCodeAt(0).toString(16)}`)

function measurePayload(payload: Payload): number {
  return commandsToSend(payload).reduce((bytes, command) => bytes + command.length + 1, envelopeStart.length + 1)
}

/** Null where each is a command and no reset undoes another. The length is not checked. */
export function commandListProblem({ commands, reset }: Payload): string | null {
  if (commands.length === 0 && !reset) return 'There is no command to send.'
  for (const command of commands) {
    const problem = commandProblem(command)
    if (problem) return `"${command}" cannot be sent. ${problem}`
  }
  if (keepLast(commands).indexOf(resetCommand) > 0) return `${resetCommand} undoes every command before it, so it can only be first.`
  return null
}

export function payloadProblem(payload: Payload): string | null {
  const problem = commandListProblem(payload)
  const bytes = measurePayload(payload)
  if (problem || bytes <= payloadCapacity) return problem
  return `The configuration has ${bytes} bytes; a symbol holds ${payloadCapacity}.`
}

/** Throws an Error with the `payloadProblem`. */
export function encodePayload(payload: Payload): Uint8Array<ArrayBuffer> {
  const problem = payloadProblem(payload)
  if (problem) throw new Error(problem)
  return encodeEnvelope(commandsToSend(payload))
}

export function decodePayload(bytes: Uint8Array): { commands: string[] } | Refusal {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  if (!text.startsWith(envelopeStart)) return { problem: 'This is no configuration barcode: it does not begin like one.' }
  if (!text.endsWith(endOfEnvelope)) return { problem: 'The configuration barcode is not complete: its end mark is missing.' }
  const body = text.slice(envelopeStart.length, -1)
  if (body === '') return { problem: 'The configuration barcode has no command.' }
  if (!body.endsWith(endOfPart)) return { problem: 'The configuration barcode is not complete: its last command is cut off.' }
  const commands = body.slice(0, -1).split(endOfPart)
  if (commands.some((command) => command === '' || /\p{Cc}/u.test(command)))
    return { problem: 'The configuration barcode is damaged: it has control characters within a command, or an empty command.' }
  return { commands }
}

/**
 * Splits commands into as few symbols as their order allows. A group, such as a prefix and the command that enables it, stays together.
 * Only the first symbol resets.
 */
export function splitCommands(
  groups: readonly (readonly string[])[],
  { reset, maxBytes = payloadCapacity }: { reset: boolean; maxBytes?: number },
): Payload[] | Refusal {
  const payloads: Payload[] = [{ commands: [], reset }]
  for (const group of groups) {
    const last = payloads.at(-1)!
    const longer = { commands: keepLast([...last.commands, ...group]), reset: last.reset }
    const alone = { commands: keepLast(group), reset: false }
    if (measurePayload(longer) <= maxBytes) payloads[payloads.length - 1] = longer
    else if (measurePayload(alone) <= maxBytes) payloads.push(alone)
    else return { problem: `"${group[0]!.slice(0, 20)}…" needs ${measurePayload(alone)} bytes; a symbol holds ${maxBytes}.` }
  }
  return payloads
}
