import { type BuilderDevice, type Catalogue, listOptions, listWays, type Option, type SelectionValue } from './catalogue.ts'
import { catalogueFor } from './catalogue-devices.ts'
import { parseAssignments } from './commands.ts'
import { type CommandGroup, commandGroups, type Selection, selectionProblems, valueName } from './selection.ts'

/** What an option needs to have an effect: a parameter as readers name it, such as `CMMOCM`, and its value. */
interface Requirement {
  parameter: string
  value: string
  /** Where the reader has no option for it alone, as an RS-232 profile sets it. */
  words?: string
}

/** The factory value of an option; null where no public source has it. */
export function findDefault(option: Option, device: BuilderDevice): { value: SelectionValue; name: string } | null {
  return listWays(option).find(({ setting }) => setting.defaultOn?.includes(device)) ?? null
}

const interfaceIs = (value: string, name: string): Requirement => ({ parameter: 'CMMOCM', value, words: `Interface: ${name}` })

// Only what the options' own names say: the baud rate of RS-232 needs RS-232.
function findRequirement(commands: readonly string[]): Requirement | null {
  const sets = commands.flatMap((command) => [...parseAssignments(command)])
  if (sets.some(([name]) => name === 'CMMOCM')) return null
  for (const [name, value] of sets) {
    if (/^CMSE(BA|DB|SB|PA|FC)$/.test(name)) return interfaceIs('SE', 'RS-232')
    const isTypedKey = /^CDOP[PS]X$/.test(name) && value?.startsWith('"/01Y/1ean')
    if (name === 'LAINAL' || name === 'CMHDCC' || isTypedKey) return interfaceIs('UK', 'USB keyboard')
    if (name === 'CMUVSN') return interfaceIs('UV', 'USB serial port')
    if (/^CKAV(EX|AP)$/.test(name)) return { parameter: 'CKAVEN', value: '1' }
    const symbology = /^(SY....)(PO|MR|CS|CO|SS|SC|EA)$/.exec(name)
    if (symbology) return { parameter: `${symbology[1]}EN`, value: '1' }
  }
  return null
}

/** A state of an option that fulfils the requirement, in words, such as "Interface: RS-232". */
function inWords(catalogue: Catalogue, { parameter, value, words }: Requirement): string | null {
  const found = listOptions(catalogue).flatMap((option) =>
    listWays(option)
      .filter(({ commands }) => commands.length === 1 && parseAssignments(commands[0]!).get(parameter) === value)
      .map(({ name }) => `${option.label}: ${name}`),
  )
  return found[0] ?? words ?? null
}

/** What the option needs, in words: of the chosen value, else where each of its values needs it. Null for nothing. */
export function findNeed(catalogue: Catalogue, option: Option, value: SelectionValue | undefined): string | null {
  const ways = listWays(option).filter((way) => value === undefined || way.value === value)
  const needs = ways.map(({ commands }) => {
    const requirement = findRequirement(commands)
    return requirement && inWords(catalogue, requirement)
  })
  const [first = null] = needs
  return needs.every((need) => need === first) ? first : null
}

/** Sentences about options that what else is chosen leaves without effect. What a reader had before is not known, unless it is reset. */
export function findUnmet(catalogue: Catalogue, device: BuilderDevice, selection: Selection, reset: boolean): string[] {
  const own = catalogueFor(catalogue, device)
  const problems = selectionProblems(own, device, selection)
  const possible = Object.fromEntries(Object.entries(selection).filter(([id]) => !problems.has(id)))
  const groups = commandGroups(own, device, possible)
  return groups.flatMap((group) => {
    const requirement = findRequirement(group.commands)
    const need = requirement && inWords(own, requirement)
    const other = need && findOther(own, device, groups, requirement, reset)
    return other
      ? [`"${group.option.label}: ${valueName(group.option, group.value)}" needs "${need}", but ${other}. It has no effect.`]
      : []
  })
}

function findOther(
  catalogue: Catalogue,
  device: BuilderDevice,
  groups: readonly CommandGroup[],
  { parameter, value }: Requirement,
  reset: boolean,
): string | null {
  const setter = groups.findLast(({ commands }) => commands.some((command) => parseAssignments(command).has(parameter)))
  if (setter) {
    const isMet = setter.commands.some((command) => parseAssignments(command).get(parameter) === value)
    // A command that restores the factory value says nothing of it.
    const isKnown = setter.commands.some((command) => typeof parseAssignments(command).get(parameter) === 'string')
    return isMet || !isKnown ? null : `"${setter.option.label}: ${valueName(setter.option, setter.value)}" is chosen`
  }
  if (!reset) return null
  for (const option of listOptions(catalogue)) {
    const way = listWays(option).find(({ setting }) => setting.defaultOn?.includes(device))
    const sets = way?.commands.length === 1 ? parseAssignments(way.commands[0]!).get(parameter) : undefined
    if (way && typeof sets === 'string') return sets === value ? null : `the reset leaves "${option.label}: ${way.name}"`
  }
  return null
}
