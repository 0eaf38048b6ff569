import { builtInCatalogue } from '@lectern/contract/barcode/built-in-catalogue.ts'
import { listOptions, listWays } from '@lectern/contract/barcode/catalogue.ts'
import { decodePayload } from '@lectern/contract/barcode/configuration-payload.ts'
import { buildCommands } from '@lectern/contract/barcode/selection.ts'
import { expect, test } from 'vitest'
import { encodeSymbols } from './sheet-symbols.ts'

const device = 'CR2700'

/** The commands of the symbols, one list each. */
function commandsIn(list: readonly string[]): string[][] {
  const symbols = encodeSymbols(builtInCatalogue, device, list)
  if ('problem' in symbols) throw new Error(symbols.problem)
  return symbols.map(({ bytes }) => (decodePayload(bytes) as { commands: string[] }).commands)
}

test('what fits is one symbol, each command once, the reset first', () => {
  expect(commandsIn(['CFR', 'SYAZTCSEN1', 'SYCBARSEN1', 'SYAZTCSEN1'])).toEqual([['CFR', 'SYCBARSEN1', 'SYAZTCSEN1']])
})

test('what is too large for one symbol are several, in order; only the first resets, and the commands of an option stay together', () => {
  const text = 'x'.repeat(2000)
  const prefix = listOptions(builtInCatalogue).find((option) => option.type === 'string' && option.formatter?.[0]?.startsWith('CDOPSPX'))!
  const suffix = listOptions(builtInCatalogue).find((option) => option.type === 'string' && option.formatter?.[0]?.startsWith('CDOPSSX'))!
  const commands = buildCommands(builtInCatalogue, device, { [prefix.id]: text, [suffix.id]: text })
  const unknown = Array.from({ length: 40 }, (_, index) => `ZZ${String(index).padStart(2, '0')}SAB1`)
  const symbols = commandsIn(['CFR', ...commands, ...unknown])
  expect(symbols).toEqual([
    ['CFR', `CDOPSPX"${text}"`, 'CDOPSFO1'],
    [`CDOPSSX"${text}"`, 'CDOPSFO1', ...unknown],
  ])
})

test('all that a reader can be told comes back from its symbols, in its order', () => {
  const everything = Object.fromEntries(
    listOptions(builtInCatalogue)
      .filter(
        (option) =>
          option.applicableDevices.includes(device) && listWays(option).some(({ setting }) => setting.devices?.includes(device) ?? true),
      )
      .map((option) => [option.id, listWays(option).find(({ setting }) => setting.devices?.includes(device) ?? true)!.value]),
  )
  const commands = buildCommands(builtInCatalogue, device, everything)
  const foreign = Array.from({ length: 300 }, (_, index) => `ZZZZSAB${index}`)
  const symbols = commandsIn([...foreign, ...commands])
  expect(symbols.length).toBeGreaterThan(1)
  expect(symbols.flat()).toEqual([...foreign, ...commands])
})

test('a command that no symbol can hold is refused', () => {
  expect(encodeSymbols(builtInCatalogue, device, [`CDOPSPX"${'x'.repeat(3000)}"`])).toEqual({
    problem: expect.stringContaining('a symbol holds'),
  })
})
