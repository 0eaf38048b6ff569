import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepStanding } from '../devices/devices.ts'
import { wholeOrganization } from '../lib/database/zone-scope.ts'
import { measuredDatabase } from '../testing/database/buffers.ts'
import { updateHaltedBy } from './halts-sql.ts'
import { listRollouts } from './list/list.ts'
import { getRollout, listRolloutReaders, sweepRollouts } from './rollouts.ts'
import { listRolloutRuns } from './zones/runs.ts'
import { listRolloutParts } from './zones/zone-pages.ts'

/** `readers`: per zone. Every hundredth reader is silent. */
const size = { readers: 5_000, zones: 12 }
/** Returns how many buffers a page may read: 100, and for each zone and model that it shows 60, and 8 for each silent reader there. */
const allowed = (parts: number) => 100 + parts * (60 + (8 * size.readers) / 100)

const byName = { textFilter: '', ColumnName: 'Name', Direction: 'Ascending' } as const

const { db, pool, measureCost, close } = await measuredDatabase()
afterAll(close, 60_000)

/**
 * An organization whose zones had 20 rollouts each. The last one is under way: half of its readers are done, some failed, and some report
 * progress.
 */
const { id: organizationId } = await db
  .insertInto('organization')
  .values({ public_id: uuidv7(), name: 'Large' })
  .returning('id')
  .executeTakeFirstOrThrow()
await sql`insert into zone (public_id, organization_id, name) select gen_random_uuid(), ${organizationId}::int, 'Zone ' || n from generate_series(1, ${size.zones}::int) n`.execute(
  db,
)
await sql`
  insert into device (organization_id, serial_number, device_type, zone_id, offline, last_seen_at)
  select ${organizationId}::int, z.name || '-' || n, 'CR2700', z.id, n % 100 = 0, now() - make_interval(mins => case when n % 100 = 0 then 6000 else 1 end)
  from zone z, generate_series(1, ${size.readers}::int) n`.execute(db)
await sql`
  insert into rollout (id, organization_id, published_at) select gen_random_uuid(), ${organizationId}::int, now() - make_interval(mins => n)
  from generate_series(1, ${size.zones * 20}::int) n`.execute(db)
await sql`
  insert into publication (id, organization_id, zone_id, zone_name, device_type, revision, content, content_hash, size, update_time, rollout_id, published_at, replaced_at,
    replaced_readers)
  select gen_random_uuid(), ${organizationId}::int, z.id, z.name, 'CR2700', r.revision, 'cfg', repeat('a', 64), 10, '02:00', r.id, r.published_at,
    case when r.revision < 20 then now() end, case when r.revision < 20 then ${size.readers}::int end
  from (select *, row_number() over (order by published_at) as number, ((row_number() over (order by published_at) - 1) / ${size.zones}) + 1 as revision from rollout) r
  join (select *, row_number() over (order by name) as number from zone) z on z.number = (r.number - 1) % ${size.zones} + 1`.execute(db)
await sql`
  insert into desired (organization_id, zone_id, device_type, kind, publication_id, revision)
  select organization_id, zone_id, device_type, kind, id, revision from publication where replaced_at is null`.execute(db)
await sql`
  insert into outcome (publication_id, device_id, organization_id, outcome, reason, happened_at, reported_at)
  select p.id, d.id, p.organization_id, case when d.number % 40 = 0 then 'failed' else 'applied' end, null, now(), now() - make_interval(secs => d.number)
  from publication p join (select *, row_number() over (partition by zone_id order by serial_number) as number from device) d on d.zone_id = p.zone_id and (p.revision >= 18 and d.number % 2 = 0)`.execute(
  db,
)
await sweepStanding(db)
await sweepRollouts(db)
await pool.query('vacuum analyze')

test('a page of the list reads as much as it shows, however many readers its rollouts have', async () => {
  const page = () => listRollouts(db, wholeOrganization(organizationId), { textFilter: '', PageNumber: 0, PageSize: 10 })
  const [current] = (await page()).rolloutList
  expect(current?.counts).toMatchObject({ readers: size.readers, downloading: 0, replaced: 0 })
  expect(current!.counts.applied + current!.counts.failed).toBe(size.readers / 2)
  const { buffers, statements } = await measureCost(page)
  expect(statements).toBe(4)
  expect(buffers).toBeLessThanOrEqual(allowed(10))
  const last = await measureCost(() =>
    listRollouts(db, wholeOrganization(organizationId), { textFilter: '', PageNumber: 23, PageSize: 10 }),
  )
  expect(last.buffers).toBeLessThanOrEqual(100 + 10 * 60)
})

test('a page of the readers of a large zone reads what it shows, and passes over those before it in indexes', async () => {
  const [current] = (await listRollouts(db, wholeOrganization(organizationId), { textFilter: '', PageNumber: 0, PageSize: 1 })).rolloutList
  const page = (query: object) =>
    listRolloutReaders(
      db,
      { ...wholeOrganization(organizationId), id: current!.id },
      { PageNumber: 0, PageSize: 25, textFilter: '', ...query },
    )
  for (const query of [{}, { state: 'applied' }, { state: 'failed' }])
    expect((await measureCost(() => page(query))).buffers, JSON.stringify(query)).toBeLessThanOrEqual(500)
  for (const query of [{ state: 'waiting' }, { state: 'silent' }, { PageNumber: 199 }])
    expect((await measureCost(() => page(query))).buffers, JSON.stringify(query)).toBeLessThanOrEqual(1_500)
  expect(await page({ PageNumber: 199 })).toMatchObject({ readerList: { length: 25 }, totalCount: size.readers })
})

test('a rollout is six statements, and reads as much as it shows', async () => {
  const [current] = (await listRollouts(db, wholeOrganization(organizationId), { textFilter: '', PageNumber: 0, PageSize: 1 })).rolloutList
  const { buffers, statements } = await measureCost(() => getRollout(db, { ...wholeOrganization(organizationId), id: current!.id }))
  expect(statements).toBe(6)
  expect(buffers).toBeLessThanOrEqual(allowed(1) + 13 * 12)
})

/**
 * Inserts a rollout under way to many zones with 20 readers each, and returns its organization. In each zone half of the readers have an
 * outcome, one downloads, and one has failed, which is beyond the limit.
 */
async function insertLarge(zones: number): Promise<number> {
  const { id } = await db
    .insertInto('organization')
    .values({ public_id: uuidv7(), name: `Large ${zones}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into zone (public_id, organization_id, name) select gen_random_uuid(), ${id}::int, 'Zone ' || n from generate_series(1, ${zones}::int) n`.execute(
    db,
  )
  await sql`
    insert into device (organization_id, serial_number, device_type, zone_id, last_seen_at)
    select ${id}::int, z.name || '-' || n, 'CR2700', z.id, now() from zone z, generate_series(1, 20) n where z.organization_id = ${id}`.execute(
    db,
  )
  const rollout = uuidv7()
  await db.insertInto('rollout').values({ id: rollout, organization_id: id, halt_above_percent: 4 }).execute()
  await sql`
    insert into publication (id, organization_id, zone_id, zone_name, device_type, revision, content, content_hash, size, update_time, rollout_id)
    select gen_random_uuid(), z.organization_id, z.id, z.name, 'CR2700', 1, 'cfg', repeat('a', 64), 10, '02:00', ${rollout}
    from zone z where z.organization_id = ${id}`.execute(db)
  await sql`
    insert into outcome (publication_id, device_id, organization_id, outcome, happened_at)
    select p.id, d.id, p.organization_id, case when d.id % 20 = 0 then 'failed' else 'applied' end, now()
    from publication p join device d on d.organization_id = ${id} and d.zone_id = p.zone_id where p.organization_id = ${id} and d.id % 2 = 0`.execute(
    db,
  )
  const licence = uuidv7()
  await db.insertInto('licence').values({ id: licence, organization_id: id, licence_number: licence }).execute()
  await sql`
    insert into host (public_id, organization_id, zone_id, licence_id, name, time_zone, agent_version, last_seen_at)
    select gen_random_uuid(), ${id}::int, z.id, ${licence}::uuid, z.name, 'UTC', '1.0.0', now() from zone z where z.organization_id = ${id}`.execute(
    db,
  )
  await sql`
    insert into progress (publication_id, rollout_id, host_id, device_id, organization_id, percent)
    select p.id, p.rollout_id, h.id, (select min(d.id) from device d where d.organization_id = ${id} and d.zone_id = p.zone_id and d.id % 2 = 1), ${id}::int, 50
    from publication p join host h on h.organization_id = ${id} and h.zone_id = p.zone_id where p.organization_id = ${id}`.execute(db)
  await sql`
    insert into safety_halt (rollout_id, zone_id, organization_id, above_percent, failed, readers)
    select rollout_id, zone_id, organization_id, 4, 1, 20 from publication where organization_id = ${id}`.execute(db)
  return id
}

describe('rollouts to more and more zones', () => {
  const sizes = [10, 30, 300]
  const organizations: number[] = []
  // These are inserted after the tests above, as plans depend on what else is in the database.
  beforeAll(async () => {
    for (const zones of sizes) organizations.push(await insertLarge(zones))
    await sweepRollouts(db)
    await pool.query('vacuum analyze')
  })

  /** `head`: buffers that the head of a page may read. `part`: buffers for each zone and model that is read. `bytes`: of an event. */
  const most = { head: 320, part: 50, bytes: 4_000 }

  test('[SCL-13] the head of a rollout, the first page of its zones and its event cost as much for 300 zones as for 10', async () => {
    for (const [index, zones] of sizes.entries()) {
      const organizationId = organizations[index]!
      const { id } = (await listRollouts(db, wholeOrganization(organizationId), { textFilter: '', PageNumber: 0, PageSize: 1 }))
        .rolloutList[0]!
      const rollout = await getRollout(db, { ...wholeOrganization(organizationId), id })
      expect(rollout).toMatchObject({
        zoneCount: zones,
        counts: { readers: 20 * zones, applied: 9 * zones, failed: zones },
        models: ['CR2700'],
        current: zones,
        isHalted: true,
        retryable: zones,
        safetyLimit: { zoneCount: zones, halting: zones },
      })
      expect([rollout.events.length, rollout.failed.length, rollout.safetyLimit.zones.length]).toEqual([8, 5, 5])
      expect(rollout.events.some(({ state }) => state === 'downloading')).toBe(true)
      const page = () => listRolloutParts(db, { ...wholeOrganization(organizationId), id }, { ...byName, PageNumber: 0, PageSize: 10 })
      expect(await page()).toMatchObject({
        partList: Array(10).fill({ counts: { readers: 20, applied: 9, failed: 1 } }),
        totalCount: zones,
      })
      const head = await measureCost(() => getRollout(db, { ...wholeOrganization(organizationId), id }))
      // Of a large rollout, each zone that the limit has halted is looked at.
      expect(head.buffers).toBeLessThanOrEqual(most.head + (zones > 20 ? zones : most.part * zones))
      expect((await measureCost(page)).buffers).toBeLessThanOrEqual(most.part * 10)
      // A page by state or figures reads the kept figures of all zones, and none of their readers.
      for (const query of [{ state: 'halted' }, { ColumnName: 'Left', Direction: 'Descending' }] as const) {
        const sorted = () =>
          listRolloutParts(db, { ...wholeOrganization(organizationId), id }, { ...byName, PageNumber: 0, PageSize: 10, ...query })
        expect(await sorted()).toMatchObject({ partList: { length: 10 }, totalCount: zones })
        const { buffers } = await measureCost(sorted)
        expect(buffers).toBeLessThanOrEqual(most.part * 10 + 3 * zones)
      }
      const runs = () => listRolloutRuns(db, { ...wholeOrganization(organizationId), id })
      // Each zone is looked up, with what has halted it and its host PC.
      expect((await measureCost(runs)).buffers).toBeLessThanOrEqual(2 * most.part + 7 * zones)
      expect(JSON.stringify(rollout).length).toBeLessThanOrEqual(most.bytes)
    }
  })

  test('[PPL-04] of a rollout to 300 zones the part of a role of five costs little more than a rollout to five, and the row of each other zone', async () => {
    for (const [index, organizationId] of organizations.entries()) {
      // The other zones are looked at three times: for the sums, the names and the parts.
      const others = 3 * sizes[index]!
      const rows = await db.selectFrom('zone').select('id').where('organization_id', '=', organizationId).orderBy('id').limit(5).execute()
      const scope = { organizationId, zones: rows.map(({ id }) => id) }
      const page = () => listRollouts(db, scope, { textFilter: '', PageNumber: 0, PageSize: 10 })
      const { id } = (await page()).rolloutList[0]!
      const detail = () => getRollout(db, { ...scope, id })
      expect(await detail()).toMatchObject({ zoneCount: 5, isPartial: true, counts: { readers: 100, applied: 45, failed: 5 } })
      expect((await measureCost(page)).buffers).toBeLessThanOrEqual(60 + most.part * 5 + others)
      expect((await measureCost(detail)).buffers).toBeLessThanOrEqual(most.head + most.part * 5 + 2 * others)
      const readers = () => listRolloutReaders(db, { ...scope, id }, { PageNumber: 0, PageSize: 25, textFilter: '' })
      expect((await measureCost(readers)).buffers).toBeLessThanOrEqual(500 + others)
    }
  })

  test('[SCL-13] a page of 25 readers costs as much for 300 zones as for 10, wherever it is and whatever it is limited to', async () => {
    const kept = 500
    const counted = 2_500
    const queries: [query: object, most: number][] = [
      [{}, kept],
      [{ model: 'CR2700' }, kept],
      [{ model: 'CR1500' }, 20],
      [{ state: 'applied' }, kept],
      [{ state: 'failed' }, kept],
      [{ textFilter: 'Zone 1-1' }, kept],
      [{ textFilter: 'Zone 1-1', state: 'waiting' }, kept],
      [{ textFilter: 'nothing' }, 30],
      [{ textFilter: '1' }, counted],
      [{ state: 'waiting' }, counted],
      [{ state: 'downloading' }, counted],
      [{ state: 'silent' }, 20],
    ]
    for (const [index, zones] of sizes.entries()) {
      const organizationId = organizations[index]!
      const { id } = (await listRollouts(db, wholeOrganization(organizationId), { textFilter: '', PageNumber: 0, PageSize: 1 }))
        .rolloutList[0]!
      const page = (query: object) =>
        listRolloutReaders(db, { ...wholeOrganization(organizationId), id }, { PageNumber: 0, PageSize: 25, textFilter: '', ...query })
      for (const [query, most] of queries)
        expect((await measureCost(() => page(query))).buffers, `${JSON.stringify(query)} of ${zones} zones`).toBeLessThanOrEqual(most)
      const last = { PageNumber: (20 * zones) / 25 - 1 }
      expect(await page(last)).toMatchObject({ readerList: { length: 25 }, totalCount: 20 * zones })
      for (const place of [{ PageNumber: 1 }, { PageNumber: last.PageNumber >> 1 }, last])
        expect((await measureCost(() => page(place))).buffers).toBeLessThanOrEqual(kept)
    }
  })

  test('a line of the list reads as much for 300 zones as for 30, and a row of each zone that the safety limit has halted', async () => {
    for (const [index, zones] of sizes.entries()) {
      if (zones === 10) continue
      const page = () => listRollouts(db, wholeOrganization(organizations[index]!), { textFilter: '', PageNumber: 0, PageSize: 10 })
      const line = {
        zones: zones === 30 ? ['Zone 1', 'Zone 10', 'Zone 11'] : ['Zone 1', 'Zone 10', 'Zone 100'],
        zoneCount: zones,
        counts: { readers: 20 * zones, applied: 9 * zones, failed: zones, waiting: 10 * zones },
      }
      expect((await page()).rolloutList).toMatchObject([{ ...line, state: 'halted' }])
      expect((await measureCost(page)).buffers).toBeLessThanOrEqual(100 + zones)
      await db.deleteFrom('safety_halt').where('organization_id', '=', organizations[index]!).execute()
      expect((await page()).rolloutList).toMatchObject([{ ...line, state: 'underWay' }])
      expect((await measureCost(page)).buffers).toBeLessThanOrEqual(80)
    }
    const [rollout] = (await listRollouts(db, wholeOrganization(organizations[2]!), { textFilter: '', PageNumber: 0, PageSize: 1 }))
      .rolloutList
    const user = uuidv7()
    await db
      .insertInto('user')
      .values({ id: user, issuer: 'issuer', subject: user, email: 'a@people.example', email_verified: true })
      .execute()
    await updateHaltedBy(db, { ...wholeOrganization(organizations[2]!), id: rollout!.id }, user)
    expect(
      (await listRollouts(db, wholeOrganization(organizations[2]!), { textFilter: '', PageNumber: 0, PageSize: 1 })).rolloutList,
    ).toMatchObject([{ state: 'halted' }])
  })
})
