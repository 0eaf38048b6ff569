import type pg from 'pg'
import { setOrganization } from '../../lib/database/organization.ts'
import { choosePlan } from '../../lib/database/planning.ts'
import { logins } from '../../postgres/logins.ts'
import { until } from '../until.ts'
import type { Statement } from './statements.ts'

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

/** Returns the organization that a statement names; undefined where it names none, and so crosses. */
function findOrganization({ sql, parameters }: Statement): number | undefined {
  const place = /\borganization_id"? = \$(\d+)/.exec(sql)?.[1]
  return place === undefined ? undefined : Number(parameters[Number(place) - 1])
}

const whoAmI = `
  select current_user as name, rolsuper or rolbypassrls or exists (select from pg_class where relowner = r.oid and relnamespace = 'public'::regnamespace) as is_open
  from pg_roles r where rolname = current_user`

/**
 * Runs `work` as the server would: in a transaction of the role that sees one organization, or of the crossing role where the statement
 * names none. For the owner PostgreSQL makes other plans. Everything is rolled back.
 */
async function asServer<Result>(pool: pg.Pool, statement: Statement, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    const organization = findOrganization(statement)
    const login = organization === undefined ? logins.crossing : logins.server
    await client.query('begin')
    await client.query(`set local role ${login}; ${organization === undefined ? '' : setOrganization(organization)}`)
    await client.query('set local max_parallel_workers_per_gather = 0')
    await client.query(choosePlan(statement.sql))
    const { rows } = await client.query<{ name: string; is_open: boolean }>(whoAmI)
    if (rows[0]?.name !== login || rows[0].is_open) throw new Error(`A plan was taken as ${rows[0]?.name}, which is no login of a server.`)
    return await work(client)
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
    client.release()
  }
}

export const explain = (pool: pg.Pool, statement: Statement): Promise<Plan> =>
  asServer(pool, statement, async (client) => {
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${statement.sql}`, [...statement.parameters])
    return rows[0]['QUERY PLAN'][0].Plan
  })

/** As `explain`, with the plan that PostgreSQL would keep for all parameters. */
export const explainPrepared = (pool: pg.Pool, statement: Statement): Promise<Plan> =>
  asServer(pool, statement, async (client) => {
    await client.query('set local plan_cache_mode = force_generic_plan')
    await client.query(`prepare any_plan as ${statement.sql}`)
    const values = statement.parameters.map((value) => writeLiteral(client, value))
    const execute = `execute any_plan${values.length > 0 ? `(${values.join()})` : ''}`
    // The first run also reads what the connection does not know yet of the catalogue.
    await client.query(execute)
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${execute}`)
    return rows[0]['QUERY PLAN'][0].Plan
  })

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
export async function settle(client: Pick<pg.Pool | pg.Client, 'query'>, ...tables: readonly string[]): Promise<void> {
  await until(async () => {
    await client.query('vacuum analyze')
    const { rows } = await client.query(
      `select bool_and(relallvisible = relpages) as done from pg_class where oid = any(select quote_ident(name)::regclass from unnest($1::text[]) name)`,
      [tables],
    )
    return rows[0].done
  })
}
