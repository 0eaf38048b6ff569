import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { inflateSync } from 'node:zlib'
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

const [brand] = defaultBrands('Quiet Zone Devices')

const drawGuide = (paper: 'a4' | 'letter' = 'a4', name = brand.name): Promise<Buffer> =>
  buffer(Readable.from(createSettingsReport(device, categories, { ...brand, name }, { paper, isGuide: true })))

const open = (pdf: Buffer) => getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise

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
    const { data } = context.getImageData((x - 1) * pixelsPerPoint, (y - symbolSide - 36) * pixelsPerPoint, side, side)
    const read = readQr(new Uint8ClampedArray(data), side, side)
    found.set(code, read && Uint8Array.from(read.binaryData))
  }
  return found
}

test('[EVI-04] the guide has a cover, contents with the pages, a bookmark a group, and every symbol on it decodes', {
  timeout: 300_000,
}, async () => {
  const guide = await open(await drawGuide())
  const outline = await guide.getOutline()
  expect(outline.map(({ title }) => title)).toEqual([...categories.map(({ title }) => title)])
  expect(outline.at(-1)?.title).toBe('Reset and service')
  expect(outline.find(({ title }) => title === 'Symbologies')!.items.map(({ title }) => title)).toContain('Data Matrix')
  const read = new Map<string, Uint8Array | null>()
  const texts: string[] = []
  for (let number = 1; number <= guide.numPages; number++) {
    const page = await guide.getPage(number)
    for (const [code, bytes] of await readSymbols(page)) read.set(code, bytes)
    texts.push((await readWords(page)).map(({ text }) => text).join(' '))
    expect(texts.at(-1)).toContain(`Page ${number} of ${guide.numPages}`)
  }
  expect(texts[0]).toMatch(/CR2700 settings guide.*Edition of 28 November 2026.*Document CR2700-[0-9A-F]{8}/)
  const named = /Data Matrix\s+(\d+)/.exec(texts[1]!)
  expect(texts[1]).toMatch(/^Contents/)
  expect(texts[Number(named?.[1]) - 1]).toContain('Data Matrix: On')
  for (const { code, sourceString } of all)
    expect({ code, bytes: read.get(code) }).toEqual({ code, bytes: encodePayload({ commands: sourceString, reset: false }) })
  expect(read.size).toBe(all.length)
  expect(all.map(({ code }) => code)).toEqual(expect.arrayContaining(['M20390', 'M20335', 'M20345', 'M20425', 'M20428', 'M20113']))
  await guide.loadingTask.destroy()
})

test.for([
  ['a4', 595.28, 841.89],
  ['letter', 612, 792],
] as const)('[EVI-04] the guide is made for %s paper', async ([paper, width, height]) => {
  const guide = await open(await drawGuide(paper))
  const { view } = await guide.getPage(3)
  expect(view).toEqual([0, 0, width, height])
  await guide.loadingTask.destroy()
})

test.for(['Žluťoučký kůň', '株式会社スキャナ', '스캐너', 'סורקים', 'Сканеры'])(
  '[EVI-04] the name %s is on the cover and on each page',
  async (name) => {
    const guide = await open(await drawGuide('a4', name))
    for (const number of [1, guide.numPages]) {
      const words = (await readWords(await guide.getPage(number))).map(({ text }) => text)
      // A name that is read from the right may come back in the order of drawing.
      expect(words.some((text) => text === name || [...text].reverse().join('') === name)).toBe(true)
    }
    await guide.loadingTask.destroy()
  },
)

/** What each stream of the page contents draws, as lines of operators. */
const readStreams = (pdf: Buffer): string[] =>
  [...pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].flatMap(([, data]) => {
    try {
      return inflateSync(Buffer.from(data!, 'latin1')).toString('latin1')
    } catch {
      return []
    }
  })

const readContents = (pdf: Buffer): string[] => readStreams(pdf).filter((text) => /\bBDC\b/.test(text))

/** How many operators paint outside of any marked content. */
function countUnmarked(content: string): number {
  let depth = 0
  let unmarked = 0
  for (const line of content.split('\n')) {
    const operator = line.trim().split(' ').at(-1)!
    if (operator === 'BDC' || operator === 'BMC') depth++
    else if (operator === 'EMC') depth--
    else if (['Tj', 'TJ', 'f', 'f*', 'S', 's', 'B', 'Do', 'sh'].includes(operator) && depth === 0) unmarked++
  }
  return unmarked
}

const elements = (text: string) => [...text.matchAll(/<<\n\/S \/[A-Z]\w*\n[\s\S]*?\nendobj/g)].map(([one]) => one)
const typeOf = (element: string) => /\/S \/(\w+)/.exec(element)?.[1]
const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/** Failure conditions of the Matterhorn Protocol 1.1 that are looked for here. The others need a person, or have nothing in these files. */
const matterhorn: readonly [string, (pdf: Buffer, text: string) => boolean][] = [
  ['01-005 all content is tagged or an artifact', (pdf) => readContents(pdf).every((content) => countUnmarked(content) === 0)],
  ['06-001 there is XMP metadata', (_, text) => text.includes('/Type /Metadata') && text.includes('/Subtype /XML')],
  ['06-002 the metadata has the PDF/UA identifier', (_, text) => /<pdfuaid:part>1<\/pdfuaid:part>/.test(text)],
  ['06-003 the metadata has a title', (_, text) => /<dc:title>[\s\S]*CR2700 settings guide[\s\S]*<\/dc:title>/.test(text)],
  ['07-001 the title is shown', (_, text) => /\/DisplayDocTitle true/.test(text)],
  ['11-006 the language is set', (_, text) => /\/Lang \(en\)/.test(text)],
  [
    '13-004 each figure has an alternative text',
    (_, text) => elements(text).every((one) => typeOf(one) !== 'Figure' || one.includes('/Alt ')),
  ],
  [
    '14-002 and 14-003 headings begin with H1 and skip no level',
    (_, text) => ['H1', 'H2', 'H3'].every((type) => elements(text).some((one) => typeOf(one) === type)) && !/\/S \/H[4-6]/.test(text),
  ],
  [
    '02-001 each structure type is a standard one',
    (_, text) => elements(text).every((one) => ['Document', 'H1', 'H2', 'H3', 'P', 'Figure', 'TOC', 'TOCI'].includes(typeOf(one) ?? '')),
  ],
  ['28-008 no page has annotations without a tab order', (_, text) => !text.includes('/Subtype /Link')],
  [
    '31-009 each font is embedded',
    (_, text) =>
      count(text, /\/Type \/FontDescriptor/g) > 0 &&
      count(text, /\/FontFile[23]? /g) === count(text, /\/Type \/FontDescriptor/g) &&
      !text.includes('/Subtype /Type1'),
  ],
  ['31-027 each font maps to Unicode', (_, text) => count(text, /\/ToUnicode /g) === count(text, /\/Subtype \/Type0/g)],
]

const japanese = drawGuide('a4', '株式会社スキャナ')

test.for(matterhorn)('[EVI-04] Matterhorn %s', async ([, holds]) => {
  const pdf = await japanese
  expect(elements(pdf.toString('latin1')).length).toBeGreaterThan(500)
  expect(holds(pdf, pdf.toString('latin1'))).toBe(true)
})

/** How far a length in points is from a whole number of dots of 300 dpi. */
const offDots = (points: number) => Math.abs(points / 0.24 - Math.round(points / 0.24))

test('[EVI-04] modules of symbols are whole printer dots of 300 and 600 dpi, and begin on them', async () => {
  const pdf = await drawGuide()
  const height = 841.89
  const rectangles = readContents(pdf).flatMap((content) => [...content.matchAll(/([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re\n/g)])
  expect(rectangles.length).toBeGreaterThan(10_000)
  const off = rectangles.filter(([, x, y, width, side]) =>
    [Number(x), height - Number(y), Number(width), Number(side)].some((one) => offDots(one) > 0.01),
  )
  expect(off.map(([text]) => text)).toEqual([])
})
