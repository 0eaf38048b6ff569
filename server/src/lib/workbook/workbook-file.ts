import type { CompiledQuery, RawBuilder } from 'kysely'
import { copyOut } from '../database/copy-out.ts'
import type { ExportPool } from '../database/organization.ts'
import type { Streamed } from '../http/serve.ts'
import type { CellKind, Workbooks } from './workbooks.ts'

interface WorkbookFile<Heading extends string> {
  fileName: string
  sheetName: string
  /** The SQL expression of each column, over the rows of `query`. */
  cells: Record<Heading, RawBuilder<unknown>>
  /** The kinds of columns that are not text. */
  kinds: Partial<Record<NoInfer<Heading>, Exclude<CellKind, 'text'>>>
  query: CompiledQuery
}

/** A workbook that is written while it is read. */
export async function createWorkbookFile<Heading extends string>(
  exportPool: ExportPool,
  workbooks: Workbooks,
  { fileName, sheetName, cells, kinds, query }: WorkbookFile<Heading>,
): Promise<Streamed> {
  const rows = await copyOut(exportPool, query, 'text')
  const columns = (Object.keys(cells) as Heading[]).map((heading) => {
    const kind: CellKind = kinds[heading] ?? 'text'
    return { heading: kind === 'instant' ? `${heading} (UTC)` : heading, kind }
  })
  return {
    headers: { 'content-disposition': `attachment; filename="${fileName}"` },
    stream: workbooks.write({ name: sheetName, columns }, rows),
  }
}
