import { type BuilderDevice, type Catalogue, listOptions, listWays, type Option, type SelectionValue, slot } from './catalogue.ts'
import { catalogueFor } from './catalogue-devices.ts'
import { canonicalCommand, parseAssignments, resetCommand, unquoteValue } from './commands.ts'
import { keepLast } from './configuration-payload.ts'
import { type Selection, valueProblem } from './selection.ts'

/** `unknown`: commands that no option of the reader sends. `overridden`: commands that later ones undo. */
export interface ReadConfiguration {
  reset: boolean
  selection: Selection
  unknown: string[]
  overridden: string[]
}

interface Pattern {
  option: Option
  value?: SelectionValue
  commands: string[]
}

interface Match {
  option: Option
  value: SelectionValue
  commands: string[]
  /** How many commands at the end of the list it takes, without those read already. */
  length: number
}

/**
 * Reads from the end: of a command that several options send, only the last is left. An option's commands therefore end the list, except
 * those that were read already.
 */
export function readSelection(catalogue: Catalogue, device: BuilderDevice, list: readonly string[]): ReadConfiguration {
  const start = list.lastIndexOf(resetCommand) + 1
  const commands = keepLast(list.slice(start))
  const { selection, left } = readBackwards(
    listOptions(catalogueFor(catalogue, device)).flatMap(listPatterns),
    commands.map(canonicalCommand),
  )
  const remaining = commands.filter((_, index) => left.has(index))
  const undone = findUndone(commands)
  const isOverridden = (command: string) => undone.has(command)
  return {
    reset: start > 0,
    selection,
    unknown: remaining.filter((command) => !isOverridden(command)),
    overridden: [...list.slice(0, Math.max(start - 1, 0)), ...remaining.filter(isOverridden)],
  }
}

function listPatterns(option: Option): Pattern[] {
  const patterns: Pattern[] = listWays(option).map(({ value, commands }) => ({ option, value, commands: commands.map(canonicalCommand) }))
  if (option.type !== 'string' && option.type !== 'number') return patterns
  const formatter = option.formatter?.map((template) => template.replace(`"${slot}"`, slot))
  return formatter ? [...patterns, { option, commands: formatter }] : patterns
}

function readBackwards(patterns: readonly Pattern[], commands: readonly string[]) {
  const selection: Record<string, SelectionValue> = {}
  const read = new Set<string>()
  const left = new Set<number>()
  for (let end = commands.length; end > 0; ) {
    const last = commands[end - 1]!
    const open = patterns.filter((pattern) => mayEndWith(pattern, last) && !Object.hasOwn(selection, pattern.option.id))
    const match = longest(open.flatMap((pattern) => matchEnd(pattern, commands, end, read) ?? []))
    const length = match?.length ?? 1
    for (const command of commands.slice(end - length, end)) read.add(command)
    end -= length
    if (match) {
      selection[match.option.id] = match.value
      for (const index of left) if (match.commands.includes(commands[index]!)) left.delete(index)
    } else left.add(end)
  }
  return { selection, left }
}

const longest = (matches: Match[]): Match | undefined =>
  matches.toSorted((a, b) => b.length - a.length || b.commands.length - a.commands.length)[0]

const mayEndWith = ({ commands, value }: Pattern, last: string): boolean =>
  commands.includes(last) || (value === undefined && commands.some((command) => command.includes(slot)))

/** @param to where the list ends */
function matchEnd(
  { option, value: fixed, commands }: Pattern,
  list: readonly string[],
  to: number,
  read: ReadonlySet<string>,
): Match | null {
  let value = fixed
  let end = to
  const matched: string[] = []
  for (const template of commands.toReversed()) {
    const command = list[end - 1] ?? ''
    const at = fixed === undefined ? template.indexOf(slot) : -1
    if (at < 0 && command !== template) {
      if (!read.has(template)) return null
      matched.push(template)
      continue
    }
    if (at >= 0) value = parseValue(option, command, template.slice(0, at), template.slice(at + slot.length))
    matched.push(command)
    end--
  }
  return value === undefined || end === to ? null : { option, value, commands: matched, length: to - end }
}

function parseValue(option: Option, command: string, before: string, after: string): SelectionValue | undefined {
  if (!command.startsWith(before) || !command.endsWith(after)) return undefined
  const text = command.slice(before.length, command.length - after.length)
  const isText = option.type === 'string'
  if (!(isText ? /^"[^"]+"$/ : /^(0|[1-9]\d*)$/).test(text)) return undefined
  const value = isText ? unquoteValue(text) : Number(text)
  // A preset has its own commands, whatever the formatter would make of its value.
  const isPreset = listWays(option).some((way) => way.value === value)
  return isPreset || valueProblem(option, value) !== null ? undefined : value
}

/** Commands of which each parameter is set again later. */
function findUndone(commands: readonly string[]): Set<string> {
  const setLater = new Set<string>()
  const undone = new Set<string>()
  for (const command of commands.toReversed()) {
    const sets = [...parseAssignments(command).keys()]
    if (sets.length > 0 && sets.every((name) => setLater.has(name))) undone.add(command)
    for (const name of sets) setLater.add(name)
  }
  return undone
}
