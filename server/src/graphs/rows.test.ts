import { graphRows } from '@lectern/contract/graphs.ts'
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool } from '../lib/database.ts'
import type { DB } from '../lib/schema.ts'
import { createDatabase } from '../testing/database.ts'
import { until } from '../testing/until.ts'
import { type Scope, selectDays, selectLargest, selectLicenceTally } from './sql.ts'

/** What a graph may read from the database, rows that are of no use included. */
const allowedRows = 400
const [devices, organizations] = [6_000, 3]

const database = await createDatabase()
const pool = createPool(database.url, 4)
let sent: CompiledQuery[] = []
const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void sent.push(query) })
afterAll(async () => {
  await db.destroy()
  await database.drop()
}, 60_000)

const organizationId = uuidv7()

/** Devices that have reported on most days of a year, of more models, operating systems and cities than are shown; half are licensed. */
beforeAll(async () => {
  await sql`insert into organization (id, name) select case n when 1 then ${organizationId} else gen_random_uuid()::text end, 'Large ' || n
    from generate_series(1, ${organizations}::int) n`.execute(db)
  await sql`
    insert into reported_device (organization_id, device_id, reported_at, model, os, city, latitude, longitude, days)
    select o.id, 'S' || n, now(), 'Model ' || n % 60, 'OS ' || n % 70, 'City ' || n % 700, n % 90, n % 180,
      datemultirange(daterange(current_date - 380, current_date - n % 40), daterange(current_date - n % 30, current_date + 1))
    from organization o, generate_series(1, ${devices}::int) n`.execute(db)
  await sql`insert into decode_use (organization_id, serial_number, licences, used_on)
    select organization_id, device_id, length(device_id) % 2, day from reported_device`.execute(db)
  // A vacuum leaves out what was written while somebody looks, such as the database's own analysis.
  await until(async () => {
    await pool.query('vacuum analyze')
    const { rows } = await pool.query(
      "select bool_and(relallvisible = relpages) as done from pg_class where relname in ('device_tally', 'device_day')",
    )
    return rows[0].done
  })
}, 120_000)

interface Plan {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/** Rows that the scans of tables and indexes in a plan look at. */
function rowsOf(plan: Plan): number {
  const seen = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  const isRead = plan['Node Type'].endsWith(' Scan') && !/^(CTE|Subquery|Function)/.test(plan['Node Type'])
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), isRead ? seen * plan['Actual Loops'] : 0)
}

/** Rows that the statements of `work` read, and how many it answers. */
async function readBy(work: () => Promise<unknown>): Promise<{ read: number; answered: number }> {
  sent = []
  const answer = await work()
  const plans = await Promise.all(
    sent.map(({ sql: text, parameters }) => pool.query(`explain (analyze, format json) ${text}`, [...parameters])),
  )
  const read = plans.reduce((sum, { rows }) => sum + rowsOf(rows[0]['QUERY PLAN'][0].Plan), 0)
  return { read, answered: Array.isArray(answer) ? answer.length : 1 }
}

const graphs = (scope: Scope): Record<string, () => Promise<unknown>> => ({
  'unique devices by time': () => selectDays(db, scope),
  'most frequent device models': () => selectLargest(db, scope, 'model', 20),
  'total devices by OS': () => selectLargest(db, scope, 'os', graphRows),
  'unique devices by location': () => selectLargest(db, scope, 'city', graphRows),
  'licence counts': () => selectLicenceTally(db, scope),
})
const shown = [365, 20, 70, 400, 1]

test.each([
  ['an organization', organizationId],
  ['all organizations', null],
])('[API-GRA-01 API-GRA-06] each of the five graphs of %s reads at most 400 rows for a year', async (_whose, scope) => {
  const found: [string, number][] = []
  const answered: number[] = []
  for (const [name, work] of Object.entries(graphs(scope))) {
    const cost = await readBy(work)
    found.push([name, cost.read])
    answered.push(cost.answered)
  }
  expect(answered).toEqual(shown)
  expect(found.filter(([, read]) => read > allowedRows)).toEqual([])
})
