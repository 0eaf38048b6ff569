import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { serverForFile } from '../../testing/server.ts'

const server = await serverForFile()

const clocks = ['Europe/Berlin', 'Europe/Warsaw', 'America/Chicago']

/** Publishes to many zones with a reader each. Their host PCs have these time zones in turn; that of the first zone has Europe/Berlin. */
async function publishToMany(zones: number, when: object) {
  const organization = await server.organization()
  const { manager, ...first } = await server.zone('First', organization)
  await (await server.host(first)).checkIn([])
  const { db } = server.app
  const { id } = await db.selectFrom('organization').select('id').where('public_id', '=', organization.id).executeTakeFirstOrThrow()
  await sql`
    insert into zone (public_id, organization_id, name) select gen_random_uuid(), ${id}::int, 'Store ' || n from generate_series(2, ${zones}::int) n`.execute(
    db,
  )
  await sql`
    insert into host (public_id, organization_id, zone_id, licence_id, name, time_zone, agent_version, last_seen_at)
    select gen_random_uuid(), ${id}::int, z.id, (select licence_id from host where organization_id = ${id} limit 1), 'PC',
      (${clocks}::text[])[1 + row_number() over (order by z.id) % 3], '1', now()
    from zone z where z.organization_id = ${id} and z.name <> 'First'`.execute(db)
  await sql`
    insert into device (organization_id, zone_id, host_id, serial_number, device_type, last_seen_at)
    select h.organization_id, h.zone_id, h.id, 'S' || h.id, 'CR2700', now() from host h where h.organization_id = ${id}`.execute(db)
  const key = uuidv7()
  const params = { organizationId: organization.id, id: key }
  const parts = [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg></cfg>' } }]
  const { status } = await manager.call('publishToZones', { params, body: { key, zones: { filter: {} }, parts, when } })
  expect(status).toBe(200)
  return { params, manager, runs: async () => (await manager.call('listRolloutRuns', { params })).body }
}

/** Returns `HH:mm` in Berlin, two hours from now. */
const soon = () =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' }).format(Date.now() + 7_200_000)

test.each([2, 46, 500])('[NOW-02 SEE-09] of %i zones the runs are summed by instant and clock', async (zones) => {
  const { runs, params, manager } = await publishToMany(zones, { updateTime: soon() })
  const { runs: coming, runCount } = await runs()
  const clocksOf = coming.map(({ timeZones }) => timeZones)
  expect(clocksOf).toEqual(zones === 2 ? [['Europe/Berlin', 'Europe/Warsaw']] : [['Europe/Berlin', 'Europe/Warsaw'], ['America/Chicago']])
  expect(runCount).toBe(coming.length)
  const [first, second] = coming.map(({ at }) => Date.parse(at))
  expect(first! - Date.now()).toBeGreaterThan(110 * 60_000)
  expect(first! - Date.now()).toBeLessThanOrEqual(120 * 60_000)
  if (second !== undefined) expect([6, 7]).toContain((second - first!) / 3_600_000)
  // A rollout that is halted waits for no time.
  await manager.call('haltRollout', { params })
  expect(await runs()).toEqual({ runs: [], runCount: 0 })
})

test('[NOW-02 SEE-09] what is published now, and what something newer replaced, has no run', async () => {
  const now = await publishToMany(30, { now: true, outsideWindow: 'allowed' })
  expect(await now.runs()).toEqual({ runs: [], runCount: 0 })
  const { runs, params, manager } = await publishToMany(30, { updateTime: soon() })
  const parts = [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg>2</cfg>' } }]
  const body = { key: uuidv7(), zones: { filter: { search: 'store' } }, parts, when: { now: true } }
  expect((await manager.call('publishToZones', { params, body })).status).toBe(200)
  // Only the zone "First" is left.
  expect((await runs()).runs.flatMap(({ timeZones }) => timeZones)).toEqual(['Europe/Berlin'])
  expect((await manager.call('listRolloutRuns', { params: { ...params, id: uuidv7() } })).status).toBe(404)
})
