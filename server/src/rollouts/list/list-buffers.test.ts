import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { afterAll, expect, test } from 'vitest'
import { wholeOrganization } from '../../lib/database/zone-scope.ts'
import { measuredDatabase } from '../../testing/database/buffers.ts'
import { sweepRollouts } from '../rollouts.ts'
import { getRolloutChoices, listRollouts } from './list.ts'

const { db, pool, measureCost, close } = await measuredDatabase()
afterAll(close, 60_000)

/**
 * Zones with two readers each. Each zone had nine rollouts, and has one under way. Five of the nine are complete. In all, 25 of these have a
 * failed reader.
 */
const size = { zones: 500, rounds: 10 }

const { id: organizationId } = await db
  .insertInto('organization')
  .values({ public_id: uuidv7(), name: 'Busy' })
  .returning('id')
  .executeTakeFirstOrThrow()
const scope = wholeOrganization(organizationId)
const person = uuidv7()
await db
  .insertInto('user')
  .values({ id: person, issuer: 'issuer', subject: 'one', email: 'a@people.example', email_verified: true })
  .execute()
await sql`
  insert into zone (public_id, organization_id, name) select gen_random_uuid(), ${organizationId}::int, 'Zone ' || n from generate_series(1, ${size.zones}::int) n`.execute(
  db,
)
await sql`
  insert into device (organization_id, serial_number, device_type, zone_id, last_seen_at)
  select ${organizationId}::int, z.name || '-' || n, 'CR2700', z.id, now() from zone z, generate_series(1, 2) n`.execute(db)
for (let round = 1; round <= size.rounds; round++) {
  await sql`update publication set replaced_at = now(), replaced_readers = 2 where replaced_at is null`.execute(db)
  await sql`
    with fresh as (
      insert into rollout (id, organization_id, published_by, published_at)
      select gen_random_uuid(), ${organizationId}::int, ${person}::uuid, now() - make_interval(days => ${size.rounds - round}, mins => n)
      from generate_series(1, ${size.zones}::int) n returning id
    ), ordered as (select id, row_number() over (order by id) as number from fresh),
    numbered as (select *, row_number() over (order by id) as number from zone)
    insert into publication (id, organization_id, zone_id, zone_name, device_type, revision, content, content_hash, file_name, size, update_time, rollout_id)
    select gen_random_uuid(), organization_id, z.id, z.name, 'CR2700', ${round}::int, 'file', repeat('a', 64), 'script-' || z.number || '.js', 10, '02:00', f.id
    from ordered f join numbered z on z.number = f.number`.execute(db)
  if (round % 2 === 1)
    await sql`
      insert into outcome (publication_id, device_id, organization_id, outcome, happened_at)
      select p.id, d.id, p.organization_id, case when d.id % 100 = 0 then 'failed' else 'applied' end, now()
      from publication p join device d on d.zone_id = p.zone_id where p.replaced_at is null`.execute(db)
}
await sweepRollouts(db)
await pool.query('vacuum analyze')

test('[MNY-05 PPL-04] of 5,000 rollouts, 500 of them under way, each filter reads far fewer buffers than there are rollouts', async () => {
  const zone = await db.selectFrom('zone').select('public_id').where('name', '=', 'Zone 7').executeTakeFirstOrThrow()
  const list = (query: object) => listRollouts(db, scope, { PageNumber: 0, PageSize: 10, textFilter: '', ...query })
  const queries: [query: object, count: number, most: number][] = [
    [{}, 5_000, 500],
    [{ state: 'underWay' }, 500, 3_000],
    [{ state: 'waitingForHost' }, 500, 3_000],
    [{ state: 'halted' }, 0, 3_000],
    [{ state: 'complete' }, 2_500, 700],
    [{ state: 'replaced' }, 2_000, 700],
    [{ state: 'failed' }, 25, 700],
    [{ textFilter: 'script-77.js' }, 10, 700],
    [{ kind: 'firmware' }, 0, 700],
    [{ kind: 'configuration', model: 'CR2700' }, 5_000, 700],
    [{ zone: zone.public_id }, 10, 700],
    [{ person }, 5_000, 700],
    [{ from: new Date(Date.now() - 3 * 86_400_000).toISOString() }, 1_500, 700],
  ]
  for (const [query, count, most] of queries) {
    expect((await list(query)).totalCount, JSON.stringify(query)).toBe(count)
    const { buffers } = await measureCost(() => list(query))
    expect(buffers, JSON.stringify(query)).toBeLessThanOrEqual(most)
  }
  const ids = (await db.selectFrom('zone').select('id').orderBy('id').limit(200).execute()).map(({ id }) => id)
  const limited = () => listRollouts(db, { organizationId, zones: ids }, { PageNumber: 0, PageSize: 10, textFilter: 'script-77.js' })
  expect((await limited()).totalCount).toBe(10)
  expect((await measureCost(limited)).buffers, 'a text in 200 of 500 zones').toBeLessThanOrEqual(1_000)
  expect((await getRolloutChoices(db, scope)).people).toEqual([{ id: person, name: 'a@people.example' }])
  expect((await measureCost(() => getRolloutChoices(db, scope))).buffers).toBeLessThanOrEqual(200)
})
