import { pipeline } from 'node:stream'
import type { CompiledQuery, RawBuilder } from 'kysely'
import { copyOut } from '../database/copy-out.ts'
import type { ExportPool } from '../database/organization.ts'
import type { Streamed } from '../http/serve.ts'
import { CsvCells } from './csv-cells.ts'

interface CsvFile<Heading extends string> {
  fileName: string
  /** The SQL expression of each column, over the rows of `query`. */
  cells: Record<Heading, RawBuilder<unknown>>
  /** The columns that have times. */
  instants: readonly NoInfer<Heading>[]
  query: CompiledQuery
}

/** A CSV file: UTF-8 with BOM, RFC 4180. PostgreSQL writes it while it is read. */
export async function createCsvFile<Heading extends string>(
  exportPool: ExportPool,
  { fileName, cells, instants, query }: CsvFile<Heading>,
): Promise<Streamed> {
  const rows = await copyOut(exportPool, query, 'csv')
  const headings = Object.keys(cells)
  const csv = new CsvCells(new Set(instants.map((heading) => headings.indexOf(heading))))
  csv.push(`\ufeff${headings.join(',')}\r\n`)
  // Ends the query when the caller disconnects. Errors reach the caller through `csv`.
  pipeline(rows, csv, () => {})
  return { headers: { 'content-disposition': `attachment; filename="${fileName}"` }, stream: csv }
}
