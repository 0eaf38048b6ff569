import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { Streamed } from './http/serve.ts'

/** A cell that a spreadsheet would take for a formula, as text. */
const defuse = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

/** Rows as a CSV file: UTF-8 with BOM, RFC 4180, a heading for each column, streamed row by row. */
export function csvFile<Row>(fileName: string, headings: Record<keyof Row & string, string>, rows: AsyncIterable<Row>): Streamed {
  const csv = stringify({
    header: true,
    bom: true,
    columns: headings,
    record_delimiter: 'windows',
    // The library quotes a cell for a whole line end only, not for half of one.
    quoted_match: /[\r\n]/,
    cast: { string: defuse },
  })
  // Where the caller goes away, this ends the reading of the rows too. Errors reach the caller through `csv`.
  pipeline(Readable.from(rows), csv, () => {})
  return { headers: { 'content-disposition': `attachment; filename="${fileName}"` }, stream: csv }
}
