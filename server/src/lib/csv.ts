import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { Streamed } from './http/serve.ts'

const escapeFormula = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

/** UTF-8 with BOM, RFC 4180, streamed row by row. */
export function createCsvFile<Row>(fileName: string, headings: Record<keyof Row & string, string>, rows: AsyncIterable<Row>): Streamed {
  const csv = stringify({
    header: true,
    bom: true,
    columns: headings,
    record_delimiter: 'windows',
    // By default the library quotes a cell with CRLF, but not one with CR or LF alone.
    quoted_match: /[\r\n]/,
    cast: { string: escapeFormula },
  })
  // Ends the reading of rows when the caller disconnects. Errors reach the caller through `csv`.
  pipeline(Readable.from(rows), csv, () => {})
  return { headers: { 'content-disposition': `attachment; filename="${fileName}"` }, stream: csv }
}
