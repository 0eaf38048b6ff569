import type { Evidence } from '../devices/evidence.ts'
import { type BuilderDevice, type Catalogue, listOptions, listWays, type Option, type SelectionValue, slot } from './catalogue.ts'
import { catalogueFor, evidenceFor } from './catalogue-devices.ts'
import { quoteValue, textProblem } from './commands.ts'
import { keepLast } from './configuration-payload.ts'

/** Values by option id. For an absent option the reader keeps its value. */
export type Selection = Readonly<Record<string, SelectionValue>>

export interface CommandGroup {
  option: Option
  value: SelectionValue
  commands: string[]
}

export function valueProblem(option: Option, value: SelectionValue): string | null {
  if (option.evidence === 'unknown') return option.reason ?? 'There is no command for this option.'
  switch (option.type) {
    case 'multi':
      return 'Not implemented'
    case 'string':
      if (typeof value !== 'string' || value === '') return 'must be a text'
      if (value.length > (option.maxLength ?? Number.POSITIVE_INFINITY)) return `must have at most ${option.maxLength} characters`
      return textProblem(value)
    case 'number':
      return numberProblem(option.bounds, value)
    default:
      return listWays(option).some((way) => way.value === value) ? null : 'must be one of the choices'
  }
}

function numberProblem([min, max]: readonly [number, number | null], value: SelectionValue): string | null {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return 'must be a whole number'
  if (value < min) return `must be ${min} or more`
  return max !== null && value > max ? `must be ${max} or less` : null
}

/** Throws an Error for a formatter without its value (spec §3, §8). */
export function formatCommands(formatter: readonly string[], value: string | number | undefined): string[] {
  if (value === undefined || value === '') throw new Error('Missing formatter argument')
  const form = typeof value === 'string' ? quoteValue(value) : String(value)
  return formatter.map((template) => template.replace(typeof value === 'string' ? `"${slot}"` : slot, () => form))
}

/** Throws an Error with the `valueProblem`. */
export function commandsFor(option: Option, value: SelectionValue): string[] {
  const problem = valueProblem(option, value)
  if (problem) throw new Error(`${option.id}: ${problem}`)
  const way = listWays(option).find((one) => one.value === value)
  if (way) return way.commands
  if ((option.type !== 'string' && option.type !== 'number') || option.formatter === null) throw new Error(`${option.id}: no command`)
  return formatCommands(option.formatter, value as string | number)
}

export function selectionProblems(catalogue: Catalogue, device: BuilderDevice, selection: Selection): Map<string, string> {
  const options = new Map(listOptions(catalogueFor(catalogue, device)).map((option) => [option.id, option]))
  const problems = Object.entries(selection).flatMap(([id, value]) => {
    const option = options.get(id)
    const problem = option ? valueProblem(option, value) : `${device} has no such option`
    return problem === null ? [] : ([[id, problem]] as const)
  })
  return new Map(problems)
}

export function chosenOptions(
  catalogue: Catalogue,
  device: BuilderDevice,
  selection: Selection,
): { option: Option; value: SelectionValue }[] {
  const options = listOptions(catalogueFor(catalogue, device))
  return options.flatMap((option) => (Object.hasOwn(selection, option.id) ? [{ option, value: selection[option.id]! }] : []))
}

/**
 * In the order of sending: the catalogue's, but options with several commands first. Such an option may include what a single command sets,
 * as a host profile sets the baud rate, and what was chosen by itself must win. Throws an Error with a `selectionProblems` sentence.
 */
export function commandGroups(catalogue: Catalogue, device: BuilderDevice, selection: Selection): CommandGroup[] {
  for (const [id, problem] of selectionProblems(catalogue, device, selection)) throw new Error(`${id}: ${problem}`)
  const groups = chosenOptions(catalogue, device, selection).map(({ option, value }) => ({
    option,
    value,
    commands: commandsFor(option, value),
  }))
  return groups.toSorted((a, b) => b.commands.length - a.commands.length)
}

/** Throws an Error with a `selectionProblems` sentence. */
export function buildCommands(catalogue: Catalogue, device: BuilderDevice, selection: Selection): string[] {
  return keepLast(commandGroups(catalogue, device, selection).flatMap(({ commands }) => commands))
}

export interface SelectionLine {
  id: string
  label: string
  value: string
  commands: string[]
  evidence: Evidence
}

export function describe(catalogue: Catalogue, device: BuilderDevice, selection: Selection): SelectionLine[] {
  return chosenOptions(catalogue, device, selection).map(({ option, value }) => ({
    id: option.id,
    label: option.label,
    value: valueName(option, value),
    commands: valueProblem(option, value) ? [] : commandsFor(option, value),
    evidence: evidenceFor(option, device, value),
  }))
}

export function valueName(option: Option, value: SelectionValue): string {
  const way = listWays(option).find((one) => one.value === value)
  if (way) return way.name
  if (option.type === 'number') return option.unit ? `${value} ${option.unit}` : String(value)
  return String(value).replace(/\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0)
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `/${code.toString(16)}`
  })
}
