import { builtInCatalogue } from '@lectern/contract/barcode/built-in-catalogue.ts'
import { catalogueFor } from '@lectern/contract/barcode/catalogue-devices.ts'
import { withControls, withVisibleControls } from '@lectern/contract/text/visible-controls.ts'
import { expect, test } from 'vitest'
import { noChoices, readChoices, toOutcome } from './choices.ts'
import { findOptions, listPlaces } from './places.ts'

const catalogue = catalogueFor(builtInCatalogue, 'CR2700')
const outcome = (choices: Partial<typeof noChoices>) => toOutcome(catalogue, 'CR2700', { ...noChoices, ...choices })

test('the commands of choices, opened again, are the same choices', () => {
  const choices = { reset: true, selection: { aztec: false, prefix: 'A\r"/', 'duplicate-scan-delay': 123 }, unknown: ['ZZZZSAB1'] }
  const { commands } = outcome(choices)
  expect(commands[0]).toBe('CFR')
  expect(readChoices(catalogue, 'CR2700', JSON.stringify(commands))).toEqual({ choices, overridden: [], isBroken: false })
})

test('a value that cannot be chosen sends nothing, and is named as what keeps the barcode away', () => {
  const { commands, refusal, problems } = outcome({ selection: { aztec: true, 'duplicate-scan-delay': -1 } })
  expect(commands).toEqual(['SYAZTCSEN1'])
  expect(refusal).toBe('Correct “Duplicate scan delay” first.')
  expect(problems.get('duplicate-scan-delay')).toBe('must be 0 or more')
})

test('a command that is no option and contradicts one is told, as it is sent last', () => {
  expect(outcome({ selection: { aztec: true }, unknown: ['SYAZTCSEN7'] }).conflicts).toEqual([
    '"Aztec: On" and the command "SYAZTCSEN7" set SYAZTCEN to different values; the reader keeps the second.',
  ])
})

test('a search finds names first, then what options are about', () => {
  const found = findOptions(listPlaces(catalogue), 'aztec').map(({ option }) => option.id)
  expect(found.slice(0, 3)).toEqual(['aztec', 'aztec-inverse', 'aztec-mirror'])
  expect(findOptions(listPlaces(catalogue), 'FBGRSVO20').map(({ option }) => option.id)).toEqual(['beep-volume'])
  expect(findOptions(listPlaces(catalogue), '  ')).toEqual([])
})

test.for<[string, string]>([
  ['datamatrix', 'data-matrix'],
  ['EAN13', 'upc-a-to-ean-13'],
  ['i2of5', 'interleaved-2-of-5'],
  ['CR LF', 'suffix'],
  ['crlf', 'suffix'],
  ['prefx', 'prefix'],
  ['rss14', 'gs1-databar'],
  ['serial', 'rs-232-baud-rate'],
])('[EVI-03] a search for %s finds %s', ([text, id]) => {
  const own = catalogueFor(builtInCatalogue, id.startsWith('rs-232') ? 'CR1500' : 'CR2700')
  const found = findOptions(listPlaces(own), text).map(({ option }) => option.id)
  expect(found).toContain(id)
  expect(found.length).toBeLessThan(40)
})

test('[EVI-03] a choice that another leaves without effect is said', () => {
  expect(outcome({ selection: { 'interface-mode': 'usb-hid-vendor', 'keyboard-layout': 'french-windows' } }).conflicts).toEqual([
    '"Keyboard layout: French, Windows" needs "Interface: USB keyboard", but "Interface: USB HID, vendor-defined" is chosen. It has no effect.',
  ])
})

test('every text survives an input that shows its control characters', () => {
  const text = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not stand in an input
  expect(withVisibleControls(text)).not.toMatch(/[\u0000-\u001f\u007f]/)
  expect(withControls(withVisibleControls(text))).toBe(text)
})
