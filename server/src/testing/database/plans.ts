import type pg from 'pg'
import { until } from '../until.ts'

/** A node of EXPLAIN. */
export interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Heap Fetches'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

type Client = Pick<pg.Pool | pg.Client, 'query'>

export async function explain(client: Client, { sql, parameters }: { sql: string; parameters: readonly unknown[] }): Promise<Plan> {
  const { rows } = await client.query(`explain (analyze, buffers, format json) ${sql}`, [...parameters])
  return rows[0]['QUERY PLAN'][0].Plan
}

/** As `explain`, with the plan that PostgreSQL keeps for any parameters. */
export async function explainPrepared(pool: pg.Pool, { sql, parameters }: { sql: string; parameters: readonly unknown[] }): Promise<Plan> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local plan_cache_mode = force_generic_plan')
    await client.query(`prepare any_plan as ${sql}`)
    const values = parameters.map((value) => writeLiteral(client, value))
    const execute = `execute any_plan${values.length > 0 ? `(${values.join()})` : ''}`
    // A first run also reads what the connection has yet to learn of the catalogue.
    await client.query(execute)
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${execute}`)
    return rows[0]['QUERY PLAN'][0].Plan
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
    client.release()
  }
}

const writeLiteral = (client: pg.PoolClient, value: unknown): string => {
  if (value === null) return 'null'
  const text = Array.isArray(value) ? `{${value.map((one) => JSON.stringify(String(one))).join()}}` : String(value)
  return client.escapeLiteral(text)
}

export const listNodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(listNodes)]

export const listScans = (plan: Plan): Plan[] =>
  listNodes(plan).filter(({ 'Node Type': type }) => type.endsWith(' Scan') && !/^(CTE|Subquery|Function)/.test(type))

/** Rows and index entries that scans read, including those removed by a filter. */
export const countRows = (scans: readonly Plan[]): number =>
  scans.reduce((sum, scan) => {
    const seen = scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0) + (scan['Rows Removed by Index Recheck'] ?? 0)
    return sum + seen * scan['Actual Loops']
  }, 0)

export const countBuffers = (plan: Plan): number => plan['Shared Hit Blocks'] + plan['Shared Read Blocks']

/**
 * Vacuums and analyses until all pages are all-visible. One vacuum may not suffice: it skips rows that a concurrent snapshot, such as
 * that of autovacuum, still sees.
 */
export async function settle(client: Client, ...tables: readonly string[]): Promise<void> {
  await until(async () => {
    await client.query('vacuum analyze')
    const { rows } = await client.query(
      `select bool_and(relallvisible = relpages) as done from pg_class where oid = any(select quote_ident(name)::regclass from unnest($1::text[]) name)`,
      [tables],
    )
    return rows[0].done
  })
}
