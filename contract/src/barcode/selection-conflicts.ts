import type { BuilderDevice, Catalogue, Option } from './catalogue.ts'
import { parseAssignments } from './commands.ts'
import { type CommandGroup, commandGroups, type Selection, selectionProblems, valueName } from './selection.ts'

/** `parameters`: as readers name them, such as `CDOPFO`. `wins`: the one that is sent last. */
export interface Conflict {
  options: [Option, Option]
  parameters: string[]
  wins: Option
  sentence: string
}

export function findConflicts(catalogue: Catalogue, device: BuilderDevice, selection: Selection): Conflict[] {
  const problems = selectionProblems(catalogue, device, selection)
  const possible = Object.fromEntries(Object.entries(selection).filter(([id]) => !problems.has(id)))
  const groups = commandGroups(catalogue, device, possible).map((group) => ({ ...group, sets: collectEffects(group) }))
  return groups.flatMap((first, index) =>
    groups.slice(index + 1).flatMap((second) => {
      const parameters = [...first.sets].flatMap(([name, value]) =>
        second.sets.has(name) && second.sets.get(name) !== value ? [name] : [],
      )
      return parameters.length === 0 ? [] : [conflict(first, second, parameters)]
    }),
  )
}

const collectEffects = ({ commands }: CommandGroup) => new Map(commands.flatMap((command) => [...parseAssignments(command)]))

const inWords = ({ option, value }: CommandGroup) => `"${option.label}: ${valueName(option, value)}"`

function conflict(first: CommandGroup, second: CommandGroup, parameters: string[]): Conflict {
  return {
    options: [first.option, second.option],
    parameters,
    wins: second.option,
    sentence: `${inWords(first)} and ${inWords(second)} set ${parameters.join(', ')} to different values; the reader keeps the second.`,
  }
}
