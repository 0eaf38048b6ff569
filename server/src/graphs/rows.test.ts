import { graphRows } from '@lectern/contract/graphs.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { countRows, explain, listScans, settle } from '../testing/database/plans.ts'
import { notifiedDatabase } from '../testing/database/statements.ts'
import { sweepGraphs } from './graphs.ts'
import { type Scope, selectDays, selectLargest, selectLicenceTally } from './sql.ts'

/** The most rows that a graph may read, unused ones included. */
const allowedRows = 400
const [devices, organizations] = [6_000, 3]

const { db, pool, statementsOf } = await notifiedDatabase()

let organizationId = 0

/** Devices that have reported on most days of a year, of more models, operating systems and cities than are shown; half are licensed. */
beforeAll(async () => {
  await sql`insert into organization (public_id, name) select gen_random_uuid(), 'Large ' || n
    from generate_series(1, ${organizations}::int) n`.execute(db)
  organizationId = (await db.selectFrom('organization').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()).id
  await sql`
    insert into reported_device (organization_id, device_id, reported_at, model, os, city, latitude, longitude, days)
    select o.id, 'S' || n, now(), 'Model ' || n % 60, 'OS ' || n % 70, 'City ' || n % 700, n % 90, n % 180,
      datemultirange(daterange(current_date - 380, current_date - n % 40), daterange(current_date - n % 30, current_date + 1))
    from organization o, generate_series(1, ${devices}::int) n`.execute(db)
  await sql`insert into decode_use (organization_id, serial_number, licences, used_on)
    select organization_id, device_id, length(device_id) % 2, day from reported_device`.execute(db)
  await sweepGraphs(db)
  await settle(pool, 'device_tally', 'device_day')
}, 120_000)

/** Rows that the statements of `work` read, and how many it returns. */
async function readBy(work: () => Promise<unknown>): Promise<{ read: number; answered: number }> {
  let answer: unknown
  const statements = await statementsOf(async () => {
    answer = await work()
  })
  const plans = await Promise.all(statements.map((statement) => explain(pool, statement)))
  return { read: countRows(plans.flatMap(listScans)), answered: Array.isArray(answer) ? answer.length : 1 }
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
  ['an organization', false],
  ['all organizations', true],
])('[API-GRA-01 API-GRA-06] each of the five graphs of %s reads at most 400 rows for a year', async (_whose, isOfAll) => {
  const scope = isOfAll ? null : organizationId
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
