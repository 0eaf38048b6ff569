import { builtInCatalogue } from '@lectern/contract/barcode/built-in-catalogue.ts'
import { builderDevices, listOptions, listWays, type Option, type SelectionValue } from '@lectern/contract/barcode/catalogue.ts'
import { catalogueFor } from '@lectern/contract/barcode/catalogue-devices.ts'
import { payloadCapacity } from '@lectern/contract/barcode/configuration-payload.ts'
import { commandsFor } from '@lectern/contract/barcode/selection.ts'
import { symbolSize } from '@lectern/contract/barcode/symbol.ts'
import jsQR from 'jsqr'
import { expect, test } from 'vitest'
import { type ConfigurationSymbol, drawPixels, encodeSymbol, type Placement, placeInPicture, placeOnPaper, symbolPath } from './symbol.ts'

/** What another program than ours reads in the pixels of a symbol. */
const readBack = (symbol: ConfigurationSymbol, placement: Placement): number[] | undefined =>
  jsQR(drawPixels(symbol, placement), placement.side, placement.side, { inversionAttempts: 'dontInvert' })?.binaryData

const quietZone = 10

/** A symbol with as many bytes as asked for. */
const symbolOfBytes = (bytes: number): ConfigurationSymbol =>
  encodeSymbol({ reset: false, commands: [`CDOPSPX"${'x'.repeat(bytes - 5 - 'CDOPSPX""'.length - 1)}"`] })

test('[LIM-08 LIM-09] a symbol of any length fits its canvas in whole pixels, two or more a module, with ten modules of white on each side', () => {
  // 1529 bytes leave the least room: a canvas of 306 px for 153 modules, margin included.
  const sizes = Array.from({ length: 60 }, (_, index) => 20 + 50 * index).filter((bytes) => bytes < payloadCapacity)
  for (const bytes of [...sizes, 1529, payloadCapacity]) {
    const symbol = symbolOfBytes(bytes)
    expect(symbol.bytes.length).toBe(bytes)
    for (const placement of [placeInPicture(symbol), placeOnPaper(symbol)]) {
      const { side, module, offset } = placement
      const after = side - offset - symbol.modules.length * module
      expect(module, `${bytes} bytes`).toBeGreaterThanOrEqual(2)
      expect(Math.min(offset, after), `${bytes} bytes`).toBeGreaterThanOrEqual(quietZone * module)
    }
    expect(placeInPicture(symbol).side).toBe(symbolSize(bytes, { caption: false }).width)
  }
})

test('a printed symbol has modules of three dots of a 203 dpi printer or more, which are 0.375 mm', () => {
  expect(placeOnPaper(symbolOfBytes(payloadCapacity))).toMatchObject({ side: 608, module: 3 })
  expect(placeOnPaper(symbolOfBytes(20)).module).toBeGreaterThan(10)
})

test('[LIM-09] error correction is L, also where there is room for more', () => {
  for (const symbol of [symbolOfBytes(20), symbolOfBytes(1000), symbolOfBytes(payloadCapacity)]) {
    // The first two modules of the format information: only L has both dark.
    expect([symbol.modules[8]?.[0], symbol.modules[8]?.[1]]).toEqual([true, true])
  }
})

test('the path of the drawing covers exactly the dark pixels of the picture', () => {
  const symbol = encodeSymbol({ reset: true, commands: ['SYAZTCSEN1'] })
  const placement = placeInPicture(symbol)
  const { side } = placement
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const [, x, y, width, height] of symbolPath(symbol, placement).matchAll(/M(\d+) (\d+)h(\d+)v(\d+)h-\d+z/g))
    for (let row = Number(y); row < Number(y) + Number(height); row++)
      for (let column = Number(x); column < Number(x) + Number(width); column++) pixels.set([0, 0, 0], (row * side + column) * 4)
  expect(Buffer.from(pixels.buffer).equals(Buffer.from(drawPixels(symbol, placement).buffer))).toBe(true)
})

test('the largest symbol reads back from its picture and from its drawing', () => {
  const symbol = symbolOfBytes(payloadCapacity)
  expect(readBack(symbol, placeInPicture(symbol))).toEqual([...symbol.bytes])
  expect(readBack(symbol, placeOnPaper(symbol))).toEqual([...symbol.bytes])
})

test('[PRN-02] the symbol of every option with a command, on every reader that has it, reads back byte for byte', () => {
  const different = new Map<string, string>()
  let symbols = 0
  for (const device of builderDevices)
    for (const option of listOptions(catalogueFor(builtInCatalogue, device)).filter(({ evidence }) => evidence !== 'unknown'))
      for (const value of listValues(option)) {
        different.set(commandsFor(option, value).join('\n'), `${device}: ${option.id}`)
        symbols++
      }
  for (const [commands, name] of different) {
    const symbol = encodeSymbol({ reset: false, commands: commands.split('\n') })
    expect(readBack(symbol, placeInPicture(symbol)), name).toEqual([...symbol.bytes])
  }
  console.log(`${symbols} symbols of single options read back, ${different.size} of them different`)
  expect(symbols).toBeGreaterThan(1500)
}, 300_000)

/** All values of an option that have commands of their own, and some for its formatter. */
function listValues(option: Option): SelectionValue[] {
  const known = listWays(option).map(({ value }) => value)
  if (option.type === 'number' && option.formatter) return [...known, option.bounds[0], option.bounds[1] ?? 86_400_000]
  if (option.type === 'string' && option.formatter)
    return [...known, 'A', '/"\u0003\u0004CFR\u0003', 'äÿ\u0000'].map((text) => String(text).slice(0, option.maxLength))
  return known
}
