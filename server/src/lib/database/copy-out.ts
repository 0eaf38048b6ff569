import { finished, type Readable } from 'node:stream'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { longestReadMs, tooSlow } from './cursor.ts'
import { type ExportPool, setOrganization } from './organization.ts'

// A reader that stops for so long is cut off: an open transaction keeps every old row from vacuum.
const stalledAfterMs = 5 * 60_000

/** Returns the rows of a query as COPY writes them: no heading, lines end in LF, times are of UTC. Destroying the stream ends the query. */
export async function copyOut({ pool, organizationId }: ExportPool, query: CompiledQuery, format: 'csv' | 'text'): Promise<Readable> {
  const client = await pool.connect()
  try {
    // A pooler in transaction mode gives each transaction another process, so its id is asked for in the transaction.
    const answers = await client.query(
      `begin read only; ${organizationId === null ? '' : `${setOrganization(organizationId)};`} set local datestyle to iso; set local timezone to 'UTC';
       select pg_backend_pid() as process`,
    )
    const [{ process }] = (answers as unknown as pg.QueryResult<{ process: number }>[]).at(-1)!.rows as [{ process: number }]
    const copy = client.query(copyTo(`copy (${writeParameters(query)}) to stdout (format ${format})`))
    const stalled = setTimeout(() => copy.destroy(new Error('The reader of a file has stopped reading.')), stalledAfterMs)
    const startedAt = performance.now()
    copy.on('data', () => (performance.now() - startedAt > longestReadMs ? copy.destroy(tooSlow()) : stalled.refresh())).pause()
    finished(copy, async (error) => {
      clearTimeout(stalled)
      if (!error)
        return client.query('commit').then(
          () => client.release(),
          () => client.release(true),
        )
      client.release(true)
      // A process that waits for its client to read does not see a cancellation.
      await pool
        .query("select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and query like 'copy (%'", [process])
        .catch(() => {})
    })
    return copy
  } catch (error) {
    client.release(true)
    throw error
  }
}

// COPY takes no parameters, so they are written into the statement.
const writeParameters = ({ sql, parameters }: CompiledQuery): string =>
  sql.replace(/\$(\d+)/g, (_, number: string) => writeLiteral(parameters[Number(number) - 1]))

function writeLiteral(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return pg.escapeLiteral(value)
  if (Array.isArray(value)) return value.length === 0 ? "'{}'" : `array[${value.map(writeLiteral).join()}]`
  throw new Error(`A parameter of COPY cannot be written: ${typeof value}`)
}
