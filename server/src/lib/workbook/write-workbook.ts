import type { ReadableStream } from 'node:stream/web'
import { writeXlsxStream } from 'hucre/xlsx'
import { toIsoString } from '../csv/csv-cells.ts'
import type { CellKind, Sheet } from './workbooks.ts'

/** The most rows of a sheet, without its heading. Excel takes 1,048,576. */
const mostRows = 1_000_000

const looks: Record<CellKind, { numFmt?: string; width: number }> = {
  // The format "text": cells stay text when they are edited.
  text: { numFmt: '@', width: 24 },
  number: { width: 16 },
  date: { numFmt: 'yyyy-mm-dd', width: 16 },
  instant: { numFmt: 'yyyy-mm-dd hh:mm:ss', width: 22 },
}

/** @param rows text as COPY writes it */
export const writeWorkbook = ({ name, columns }: Sheet, rows: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
  writeXlsxStream(
    readRows(
      rows,
      columns.map(({ kind }) => kind),
    ),
    {
      name,
      columns: columns.map(({ heading, kind }) => ({ header: heading, ...looks[kind] })),
      freezePane: { rows: 1 },
      maxRowsPerSheet: mostRows + 1,
    },
  )

type Cell = string | number | Date | null

async function* readRows(chunks: AsyncIterable<Uint8Array>, kinds: readonly CellKind[]): AsyncGenerator<Cell[]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield line.split('\t').map((cell, column) => (cell === '\\N' ? null : toCell(cell, kinds[column]!)))
  }
}

function toCell(text: string, kind: CellKind): Exclude<Cell, null> {
  switch (kind) {
    case 'text':
      return escapeCharacters(readEscapes(text))
    case 'number':
      return Number(text)
    case 'date':
      return toDate(text, text)
    case 'instant':
      return toDate(toIsoString(text), text)
  }
}

// Spreadsheets have no earlier date, and none with a year of five digits.
const [earliest, latest] = [Date.UTC(1900, 2, 1), Date.UTC(10_000, 0, 1)]

function toDate(iso: string, text: string): Date | string {
  const date = new Date(iso)
  return date.getTime() >= earliest && date.getTime() < latest ? date : text
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

const readEscapes = (text: string): string =>
  text.includes('\\') ? text.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter) : text

// XML cannot hold these characters, and reads a carriage return as a line feed, so they are escaped as `_x000D_`. An underscore that would
// begin such an escape is escaped itself.
const [unwritable, mistakable] = ['[\\0-\\x08\\x0b-\\x1f\\ufffe\\uffff]', '_(?=x[0-9A-Fa-f]{4}']
const escaped = new RegExp(`${unwritable}|${mistakable}(?:_|${unwritable}))`, 'g')

/** ST_Xstring of ECMA-376, part 1, 22.9.2.19. */
export const escapeCharacters = (text: string): string =>
  text.replace(escaped, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
