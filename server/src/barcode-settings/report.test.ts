import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { builtInCatalogue } from '@lectern/contract/barcode/built-in-catalogue.ts'
import { encodePayload } from '@lectern/contract/barcode/configuration-payload.ts'
import { createCanvas } from '@napi-rs/canvas'
import jsQr from 'jsqr'
import { getDocument, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, test } from 'vitest'
import { defaultBrands } from '../lib/brands.ts'
import { createSettingsReport, symbolSide } from './report.ts'
import { getSettings } from './settings.ts'

// Its types speak of another module system than its code.
const readQr = jsQr as unknown as typeof jsQr.default

const pixelsPerPoint = 3
const { device, categories } = getSettings(builtInCatalogue, 2)
const all = categories.flatMap(({ settings }) => settings)

/** A word of a page with its place in points, from the top left. */
interface Word {
  text: string
  x: number
  y: number
}

async function openGuide() {
  const [brand] = defaultBrands('Quiet Zone Devices')
  const data = new Uint8Array(await buffer(Readable.from(createSettingsReport(device, categories, brand))))
  return getDocument({ data, verbosity: 0 }).promise
}

async function readWords(page: PDFPageProxy): Promise<Word[]> {
  const { height } = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  return items.flatMap((item) => ('str' in item ? [{ text: item.str, x: item.transform[4], y: height - item.transform[5] }] : []))
}

/** The symbols of a page, by the code printed below each, read by another decoder than the portal's. */
async function readSymbols(page: PDFPageProxy): Promise<Map<string, Uint8Array | null>> {
  const viewport = page.getViewport({ scale: pixelsPerPoint })
  const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height))
  const context = canvas.getContext('2d')
  await page.render({ canvas: canvas as never, canvasContext: context as never, viewport }).promise
  const side = symbolSide * pixelsPerPoint
  const found = new Map<string, Uint8Array | null>()
  for (const { text, x, y } of await readWords(page)) {
    const [code] = text.split('_')
    if (code === undefined || !all.some((setting) => text.startsWith(`${setting.code}_`))) continue
    const { data } = context.getImageData(x * pixelsPerPoint, (y - symbolSide - 36) * pixelsPerPoint, side, side)
    const read = readQr(new Uint8ClampedArray(data), side, side)
    found.set(code, read && Uint8Array.from(read.binaryData))
  }
  return found
}

test('the full guide of a product opens, is searchable, has a bookmark a category and page numbers, and every symbol on it decodes', {
  timeout: 300_000,
}, async () => {
  const guide = await openGuide()
  const outline = await guide.getOutline()
  expect(outline.map(({ title }) => title)).toEqual(categories.map(({ title }) => title))
  const read = new Map<string, Uint8Array | null>()
  const texts: string[] = []
  for (let number = 1; number <= guide.numPages; number++) {
    const page = await guide.getPage(number)
    for (const [code, bytes] of await readSymbols(page)) read.set(code, bytes)
    texts.push((await readWords(page)).map(({ text }) => text).join(' '))
    expect(texts.at(-1)).toContain(`Page ${number} of ${guide.numPages}`)
  }
  expect(texts.join(' ')).toContain('Aztec')
  for (const { code, sourceString } of all)
    expect({ code, bytes: read.get(code) }).toEqual({ code, bytes: encodePayload({ commands: sourceString, reset: false }) })
  expect(read.size).toBe(all.length)
  await guide.loadingTask.destroy()
})
