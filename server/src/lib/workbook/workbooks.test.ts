import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { strFromU8, unzipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../testing/until.ts'
import { readWorkbook } from '../../testing/workbook.ts'
import { createWorkbooks, type Sheet } from './workbooks.ts'

const texts: Sheet = { name: 'Texts', columns: [{ heading: 'Text', kind: 'text' }] }

function open() {
  const deaths: Error[] = []
  const workbooks = createWorkbooks((error) => void deaths.push(error))
  onTestFinished(workbooks.close)
  return { workbooks, deaths }
}

const readCells = async (workbook: Readable) => {
  const [sheet] = readWorkbook(await buffer(workbook))
  return sheet!.rows.slice(1).map((row) => Object.values(row).map(({ value }) => value))
}

test('[INP-07] a sheet has 1,000,000 rows below its heading, and the next one the rest', async () => {
  const { workbooks } = open()
  const piece = Buffer.from('1\n'.repeat(50_000))
  const rows = Readable.from([...Array.from({ length: 20 }, () => piece), Buffer.from('2\n3\n')])
  const sheet: Sheet = { name: 'Numbers', columns: [{ heading: 'Number', kind: 'number' }] }
  const parts = unzipSync(await buffer(workbooks.write(sheet, rows)))
  const sheets = Object.keys(parts).filter((name) => name.startsWith('xl/worksheets/'))
  expect(sheets).toHaveLength(2)
  const [first, second] = sheets.sort().map((name) => strFromU8(parts[name]!))
  expect(first!.split('<row ').length - 1).toBe(1_000_001)
  expect(first).toContain('<row r="1000001">')
  expect([...second!.matchAll(/<(?:t|v)>([^<]*)</g)].map(([, value]) => value)).toEqual(['Number', '2', '3'])
  expect([...strFromU8(parts['xl/workbook.xml']!).matchAll(/ name="([^"]*)"/g)].map(([, name]) => name)).toEqual(['Numbers', 'Numbers_2'])
})

const hostileText = fc.string({
  unit: fc.constantFrom(
    '_x0041_',
    '_x0041',
    '_',
    'x0041_',
    'aA',
    '\u0001',
    '\u000b',
    '\r',
    '\n',
    '\t',
    '\\',
    '\uffff',
    '\ufeff',
    '<',
    '&',
    'é',
    '🏥',
  ),
})
const asCopied = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t').replaceAll('\u000b', '\\v')

test('[INP-07] a workbook has the texts of the rows, wherever their bytes are cut', async () => {
  const { workbooks } = open()
  const some = fc.array(fc.tuple(hostileText, fc.option(hostileText)), { minLength: 1, maxLength: 20 })
  const lengths = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 9 })
  const columns = ['a', 'b'].map((heading) => ({ heading, kind: 'text' as const }))
  await fc.assert(
    fc.asyncProperty(some, lengths, async (rows, sizes) => {
      const bytes = Buffer.from(rows.map(([a, b]) => `${asCopied(a)}\t${b === null ? '\\N' : asCopied(b)}\n`).join(''))
      const pieces: Buffer[] = []
      for (let at = 0; at < bytes.length; at += pieces.at(-1)!.length)
        pieces.push(bytes.subarray(at, at + sizes[pieces.length % sizes.length]!))
      const cells = await readCells(workbooks.write({ name: 'Texts', columns }, Readable.from(pieces)))
      expect(cells).toEqual(rows.map((row) => row.filter((text) => text !== null)))
    }),
  )
})

/** Rows that hardly compress, in pieces of 100,000 bytes, which are counted. */
function countedRows(pieces: number) {
  const asked = { bytes: 0 }
  function* make() {
    for (let piece = 0; piece < pieces; piece++) {
      const chunk = Buffer.from(Array.from({ length: 100 }, () => `${randomBytes(750).toString('base64').slice(0, 999)}\n`).join(''))
      asked.bytes += chunk.length
      yield chunk
    }
  }
  return { asked, rows: Readable.from(make(), { objectMode: false }) }
}

test('[INP-07] rows are asked for as the workbook is read: of 40 MB, less than 4 while its reader waits, and the rest in its time', async () => {
  const { workbooks } = open()
  const { asked, rows } = countedRows(400)
  const workbook = workbooks.write(texts, rows)
  const chunks = workbook[Symbol.asyncIterator]()
  await chunks.next()
  // Another workbook that is read at the same time: it takes longer than an unbounded reader would need to fetch all rows.
  const other = countedRows(400)
  let [most, read] = [0, 0]
  for await (const chunk of workbooks.write(texts, other.rows)) {
    read += chunk.length
    // Of three quarters of its bytes, a letter of base64 is one.
    most = Math.max(most, other.asked.bytes - read / 0.77)
  }
  expect(other.asked.bytes).toBe(40_000_000)
  expect(most).toBeLessThan(4_000_000)
  expect(asked.bytes).toBeLessThan(4_000_000)
  expect(asked.bytes).toBeGreaterThan(0)
  workbook.destroy()
  await until(() => rows.destroyed)
})

test('[INP-07] a failure of the rows breaks the workbook off', async () => {
  const { workbooks, deaths } = open()
  const rows = Readable.from(
    (function* () {
      yield Buffer.from('a\n')
      throw new Error('The database ended.')
    })(),
  )
  await expect(buffer(workbooks.write(texts, rows))).rejects.toThrow('The database ended.')
  expect(await readCells(workbooks.write(texts, Readable.from([Buffer.from('b\n')])))).toEqual([['b']])
  expect(deaths).toEqual([])
})

test('[INP-07] a thread that ends breaks its workbooks off, and another one writes the next', async () => {
  const { workbooks } = open()
  const { rows } = countedRows(400)
  const workbook = workbooks.write(texts, rows)
  const chunks = workbook[Symbol.asyncIterator]()
  await chunks.next()
  await workbooks.close()
  const rest = async () => {
    for (;;) if ((await chunks.next()).done) return
  }
  await expect(rest()).rejects.toThrow('The thread that writes workbooks ended.')
  expect(rows.destroyed).toBe(true)
  expect(await readCells(workbooks.write(texts, Readable.from([Buffer.from('b\n')])))).toEqual([['b']])
})
