import { type BuilderDevice, type Catalogue, listOptions, listWays, type Option, type SelectionValue, slot } from './catalogue.ts'
import { catalogueFor } from './catalogue-devices.ts'
import { quoteValue, textProblem } from './commands.ts'
import { keepLast } from './configuration-payload.ts'

/** What is chosen, by option id. An option that is not in it stays as it is in the reader. */
export type Selection = Readonly<Record<string, SelectionValue>>

/** What one chosen option sends. */
export interface CommandGroup {
  option: Option
  value: SelectionValue
  commands: string[]
}

/** Why `value` cannot be chosen of an option, in words; null when it can. */
export function valueProblem(option: Option, value: SelectionValue): string | null {
  if (option.evidence === 'unknown') return option.reason ?? 'There is no command for this option.'
  switch (option.type) {
    case 'multi':
      return 'Not implemented'
    case 'string':
      if (typeof value !== 'string' || value === '') return 'must be a text'
      if (option.maxLength !== undefined && value.length > option.maxLength) return `must have at most ${option.maxLength} characters`
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

/** The templates of a formatter with the value in their slot (spec §3). A formatter without its argument is an internal error (spec §8). */
export function formatCommands(formatter: readonly string[], value: string | number | undefined): string[] {
  if (value === undefined || value === '') throw new Error('Missing formatter argument')
  const form = typeof value === 'string' ? quoteValue(value) : String(value)
  return formatter.map((template) => template.replace(typeof value === 'string' ? `"${slot}"` : slot, () => form))
}

/** The commands of one option. Throws what `valueProblem` says. */
export function commandsFor(option: Option, value: SelectionValue): string[] {
  const problem = valueProblem(option, value)
  if (problem) throw new Error(`${option.id}: ${problem}`)
  const way = listWays(option).find((one) => one.value === value)
  if (way) return way.commands
  if ((option.type !== 'string' && option.type !== 'number') || option.formatter === null) throw new Error(`${option.id}: no command`)
  return formatCommands(option.formatter, value as string | number)
}

/** What is wrong with a selection, by option id, in words; empty when it can be sent to the device. */
export function selectionProblems(catalogue: Catalogue, device: BuilderDevice, selection: Selection): Map<string, string> {
  const options = new Map(listOptions(catalogueFor(catalogue, device)).map((option) => [option.id, option]))
  const problems = Object.entries(selection).flatMap(([id, value]) => {
    const option = options.get(id)
    const problem = option ? valueProblem(option, value) : `${device} has no such option`
    return problem === null ? [] : ([[id, problem]] as const)
  })
  return new Map(problems)
}

/** The chosen options that the device has, in the order of the catalogue. */
export function chosenOptions(
  catalogue: Catalogue,
  device: BuilderDevice,
  selection: Selection,
): { option: Option; value: SelectionValue }[] {
  const options = listOptions(catalogueFor(catalogue, device))
  return options.flatMap((option) => (Object.hasOwn(selection, option.id) ? [{ option, value: selection[option.id]! }] : []))
}

/**
 * What each chosen option sends, in the order in which it is sent: that of the catalogue, but options that send several commands first. Those may
 * carry what an option of one command sets, such as a host profile the baud rate, and what was chosen on its own shall hold. Throws what
 * `selectionProblems` says.
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

/** The commands of a selection, each once, where it stands last. Throws what `selectionProblems` says. */
export function buildCommands(catalogue: Catalogue, device: BuilderDevice, selection: Selection): string[] {
  return keepLast(commandGroups(catalogue, device, selection).flatMap(({ commands }) => commands))
}

/** One line of the panel "Configuration Format". */
export interface SelectionLine {
  id: string
  label: string
  /** The chosen value in words. */
  value: string
  commands: string[]
}

/** What is chosen, in words and in the order of the catalogue: "Aztec", "On". A value that cannot be chosen sends no commands. */
export function describe(catalogue: Catalogue, device: BuilderDevice, selection: Selection): SelectionLine[] {
  return chosenOptions(catalogue, device, selection).map(({ option, value }) => ({
    id: option.id,
    label: option.label,
    value: valueName(option, value),
    commands: valueProblem(option, value) ? [] : commandsFor(option, value),
  }))
}

/** A value in words: the name of a choice or preset, a number with its unit, a text with its control characters made visible. */
export function valueName(option: Option, value: SelectionValue): string {
  const way = listWays(option).find((one) => one.value === value)
  if (way) return way.name
  if (option.type === 'number') return option.unit ? `${value} ${option.unit}` : String(value)
  return String(value).replace(/\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0)
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `/${code.toString(16)}`
  })
}
