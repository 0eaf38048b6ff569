import { type Catalogue, listOptions } from '@lectern/contract/barcode/catalogue.ts'
import type { SavedConfiguration } from '@lectern/contract/library.ts'
import { readConfiguration } from './reading.ts'

/** What two configurations say of one option, or of one command. */
export interface Compared {
  id: string
  label: string
  /** The label is a command that the catalogue does not know. */
  isCommand: boolean
  a: string
  b: string
  differs: boolean
}

/** Two configurations side by side: the reset, the options that either sets, in the catalogue's order, and commands it does not know as they are. */
export function compare(catalogue: Catalogue, a: SavedConfiguration, b: SavedConfiguration): Compared[] {
  const [first, second] = [a, b].map((configuration) => readConfiguration(catalogue, configuration)) as [Read, Read]
  const [setByA, setByB] = [mapValues(first), mapValues(second)]
  const options = listOptions(catalogue).flatMap(({ id, label }): Compared[] => {
    if (!setByA.has(id) && !setByB.has(id)) return []
    const value = (values: Map<string, string>) => values.get(id) ?? 'No change'
    return [line({ id, label, isCommand: false, a: value(setByA), b: value(setByB) })]
  })
  const commands = [...new Set([...first.unknown, ...second.unknown])].map((command) => {
    const value = (reading: Read) => (reading.unknown.includes(command) ? 'Sent' : 'Not sent')
    return line({ id: `command ${command}`, label: command, isCommand: true, a: value(first), b: value(second) })
  })
  const yesOrNo = (reading: Read) => (reading.reset ? 'Yes' : 'No')
  return [
    line({ id: 'reset', label: 'Reset (CFR) First', isCommand: false, a: yesOrNo(first), b: yesOrNo(second) }),
    ...options,
    ...commands,
  ]
}

type Read = ReturnType<typeof readConfiguration>

const mapValues = ({ lines }: Read) => new Map(lines.map(({ id, value }) => [id, value]))

const line = (compared: Omit<Compared, 'differs'>): Compared => ({ ...compared, differs: compared.a !== compared.b })
