/** Set, get, restore the factory value, execute. `P` addresses a charging base (`BTCMPRD1`). */
export type Verb = 'S' | 'G' | 'R' | 'X' | 'P'

/** As written: digits, a word, a quoted text or a command in brackets; empty for none. */
export interface Parameter {
  name: string
  value: string
}

export interface Command {
  subsystem: string
  object: string
  verb: Verb
  parameters: Parameter[]
}

export interface Refusal {
  problem: string
}

/** Restores the factory settings (spec §9). */
export const resetCommand = 'CFR'

const configuration = /^CF([RGS])$/
const head = /^(?:(SY)([A-Z0-9]{4})|([A-Z]{2})([A-Z0-9]{2}))([SGRXP])/
const parameter = /([A-Z0-9]{2})("(?:[^"/]|\/[0-9a-fA-F]{2})*"|[A-Za-z0-9_]*)(?:,(?=.)|$)/y
const relayed = /^([A-Z0-9]{2})\[(.*)\]$/
const control = /\p{Cc}/u
const beyondLatin1 = /[^\0-\xff]/u
const needsEscape = /["/]|[^\x20-\x7e]/g

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0')

export function parseCommand(text: string): Command | Refusal {
  return characterProblem(text) ?? parse(text, true)
}

export function commandProblem(text: string): string | null {
  const command = parseCommand(text)
  return 'problem' in command ? command.problem : null
}

export function printCommand({ subsystem, object, verb, parameters }: Command): string {
  return subsystem + object + verb + parameters.map(({ name, value }) => name + value).join(',')
}

function characterProblem(text: string): Refusal | null {
  const refused = control.exec(text)
  if (text === '') return { problem: 'The command is empty.' }
  if (refused) return { problem: `The command has a control character (${hex(refused[0])}).` }
  const beyond = beyondLatin1.exec(text)
  return beyond && { problem: `The command has "${beyond[0]}", which is not in Latin-1.` }
}

function parse(text: string, mayRelay: boolean): Command | Refusal {
  const whole = configuration.exec(text)
  if (whole) return { subsystem: 'CF', object: '', verb: whole[1] as Verb, parameters: [] }
  const start = head.exec(text)
  if (!start) return { problem: 'The command does not begin with a subsystem, an object and an action, such as SYAZTCS or CDOPS.' }
  const verb = start[5] as Verb
  const parameters = readParameters(text.slice(start[0].length), mayRelay)
  if ('problem' in parameters) return parameters
  const problem = parametersProblem(verb, parameters)
  return problem ?? { subsystem: (start[1] ?? start[3])!, object: (start[2] ?? start[4])!, verb, parameters }
}

function readParameters(text: string, mayRelay: boolean): Parameter[] | Refusal {
  const relay = relayed.exec(text)
  if (relay) {
    if (!mayRelay) return { problem: 'The command relays a command that relays another.' }
    const inner = parse(relay[2]!, false)
    return 'problem' in inner
      ? { problem: `The relayed command is wrong: ${inner.problem}` }
      : [{ name: relay[1]!, value: `[${relay[2]}]` }]
  }
  const found: Parameter[] = []
  parameter.lastIndex = 0
  for (let end = 0; end < text.length; end = parameter.lastIndex) {
    const match = parameter.exec(text)
    if (!match) return { problem: remainderProblem(text.slice(end)) }
    found.push({ name: match[1]!, value: match[2]! })
  }
  return found
}

function remainderProblem(rest: string): string {
  const quoted = rest.indexOf('"')
  if (quoted === 2 && !rest.includes('"', quoted + 1)) return 'The command has a text without its closing quote.'
  if (quoted === 2 && /^[^"]*\/(?![0-9a-fA-F]{2})/.test(rest.slice(3)))
    return 'The command has a slash in its text that is not followed by two hexadecimal digits.'
  return `The command has "${rest.slice(0, 40)}" where a parameter and its value should be.`
}

function parametersProblem(verb: Verb, parameters: Parameter[]): Refusal | null {
  const names = parameters.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  const sets = verb === 'S' || verb === 'P'
  const without = parameters.find(({ value }) => value === '')
  if (twice) return { problem: `The command names the parameter ${twice} twice.` }
  if (names.length === 0 && verb !== 'G') return { problem: 'The command names no parameter.' }
  if (sets && without) return { problem: `The command sets ${without.name} to nothing.` }
  if (verb !== 'X' && parameters[0]?.value.startsWith('[')) return { problem: 'The command relays another, which takes the action X.' }
  const valued = parameters.find(({ value }) => value !== '')
  if (valued && (verb === 'G' || verb === 'R'))
    return { problem: `The command gives ${valued.name} a value, which its action does not take.` }
  return null
}

export function textProblem(text: string): string | null {
  const refused = beyondLatin1.exec(text)
  return refused && `"${refused[0]}" cannot be sent to a reader. Use Latin-1 characters only.`
}

/** Quotes a text, with `/hh` for each character that could end the text or the command. */
export function quoteValue(text: string): string {
  const problem = textProblem(text)
  if (problem) throw new Error(problem)
  return `"${text.replace(needsEscape, (character) => `/${hex(character)}`)}"`
}

export function unquoteValue(quoted: string): string {
  return quoted.slice(1, -1).replace(/\/([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}

/** Two commands with one meaning become equal. */
export function canonicalCommand(text: string): string {
  const command = text.includes('"') ? parseCommand(text) : null
  if (command === null || 'problem' in command) return text
  const canonical = ({ name, value }: Parameter) => ({ name, value: value.startsWith('"') ? quoteValue(unquoteValue(value)) : value })
  return printCommand({ ...command, parameters: command.parameters.map(canonical) })
}

/** By subsystem, object and parameter, such as `SYAZTCEN`: the value, such as `1`. Null: the factory value. */
export function parseAssignments(text: string): Map<string, string | null> {
  const command = parseCommand(canonicalCommand(text))
  if ('problem' in command) return new Map()
  const { subsystem, object, verb, parameters } = command
  const relay = parameters[0]?.value.startsWith('[') ? parameters[0] : null
  if (relay) {
    const inner = [...parseAssignments(relay.value.slice(1, -1))]
    return new Map(inner.map(([name, value]) => [`${subsystem}${object}${relay.name}[${name}]`, value]))
  }
  if (verb !== 'S' && verb !== 'R') return new Map()
  return new Map(parameters.map(({ name, value }) => [subsystem + object + name, verb === 'R' ? null : value]))
}

/** One command per line, as no command has a line break. */
export const formatCommandLines = (commands: readonly string[]): string => commands.map((command) => `${command}\n`).join('')

export const parseCommandLines = (text: string): string[] => text.split('\n').filter((line) => line !== '')
