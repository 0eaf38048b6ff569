import { expect, test } from 'vitest'
import { builtInCatalogue } from './built-in-catalogue.ts'
import type { Catalogue, Option } from './catalogue.ts'
import { readSelection } from './selection-reading.ts'

const described = { label: 'Option', applicableDevices: ['CR2700' as const], evidence: 'operator' as const }
const boolean = (id: string, ...enabledCmd: string[]): Option => ({ ...described, id, type: 'boolean', enabledCmd, disabledCmd: null })
const number = (id: string, ...formatter: string[]): Option => ({ ...described, id, type: 'number', bounds: [0, null], formatter })
const from = (options: Option[], ...commands: string[]) => {
  const catalogue: Catalogue = [{ id: 'all', title: 'All', sections: [{ id: 'all', title: 'All', options }] }]
  const { selection, unknown } = readSelection(catalogue, 'CR2700', commands)
  return { selection, unknown }
}

test('of options that end alike, the one with more of the list is read', () => {
  const options = [boolean('short', 'CDZZSBB1'), boolean('long', 'CDZZSAA1', 'CDZZSBB1')]
  expect(from(options, 'CDZZSAA1', 'CDZZSBB1')).toEqual({ selection: { long: true }, unknown: [] })
  expect(from(options, 'CDZZSBB1')).toEqual({ selection: { short: true }, unknown: [] })
})

test('of options with as much of the list, the one that also explains what is read already', () => {
  const options = [boolean('short', 'CDZZSAA1'), boolean('long', 'CDZZSAA1', 'CDZZSBB1')]
  expect(from(options, 'CDZZSAA1', 'CDZZSCC1', 'CDZZSBB1')).toEqual({ selection: { long: true }, unknown: ['CDZZSCC1'] })
})

test('more of the list counts first', () => {
  const options = [boolean('far', 'CDZZSAA1', 'CDZZSDD1', 'CDZZSEE1'), boolean('near', 'CDZZSBB1', 'CDZZSAA1')]
  expect(from(options, 'CDZZSBB1', 'CDZZSAA1', 'CDZZSXX1', 'CDZZSDD1', 'CDZZSEE1')).toEqual({
    selection: { near: true },
    unknown: ['CDZZSXX1', 'CDZZSDD1', 'CDZZSEE1'],
  })
})

test('an option of which nothing is left to read is not chosen', () => {
  const options = [boolean('pair', 'CDZZSAA1', 'CDZZSBB1'), boolean('half', 'CDZZSBB1')]
  expect(from(options, 'CDZZSXX1', 'CDZZSAA1', 'CDZZSBB1')).toEqual({ selection: { pair: true }, unknown: ['CDZZSXX1'] })
})

test('a value may stand in the middle of a command and before other commands', () => {
  const options = [number('middle', 'CDZZSAA{value},BB1', 'CDZZSCC1')]
  expect(from(options, 'CDZZSAA12,BB1', 'CDZZSCC1')).toEqual({ selection: { middle: 12 }, unknown: [] })
  expect(from(options, 'CDZZSAA12,BB2', 'CDZZSCC1')).toEqual({ selection: {}, unknown: ['CDZZSAA12,BB2', 'CDZZSCC1'] })
})

test('what is sent again in another spelling is no unknown command', () => {
  expect(readSelection(builtInCatalogue, 'CR2700', ['CDOPSPX" "', 'CDOPSFO1', 'CDOPSPX"/20"'])).toMatchObject({
    selection: { prefix: ' ' },
    unknown: [],
  })
})
