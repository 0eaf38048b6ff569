import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { readRollout } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'
import { until } from '../testing/until.ts'

const server = await serverForFile()
const { db } = server.app

test('[PUB-15] the stored counts stay right while readers move between zones, report and are retried, all at once', async () => {
  const organization = await server.organization()
  const rollout = uuidv7()
  const first = await server.zone('One', organization)
  const zones = [first, { ...(await server.zone('Two', organization)), manager: first.manager }]
  const hosts = await Promise.all(zones.map((zone) => server.host(zone)))
  const serials = Array.from({ length: 200 }, (_, number) => `S${String(number).padStart(3, '0')}`)
  await hosts[0]!.checkIn(serials.map((serial) => reader(serial)))
  const publications: string[] = []
  for (const [index, { id, manager }] of zones.entries()) {
    const params = { organizationId: organization.id, location: id, device: 'CR2700' }
    await manager.call('publishCfg', { params, body: { cfg: '<cfg>1</cfg>', when: 'now', rollout } })
    publications.push((await hosts[index]!.call('getDesired')).body.configurations[0]!.publication)
  }
  const some = (round: number, host: number) => serials.filter((_, index) => (index * 7 + round * 3 + host * 5) % 4 === 0)
  const work = Array.from({ length: 12 }, (_, round) =>
    hosts.flatMap((host, index) => [
      () => host.checkIn(some(round, index).map((serial) => reader(serial, round % 3 === 0 ? { deviceType: 'CR1500' } : {}))),
      () => {
        const outcomes = some(round + 1, index).map((serialNumber, place) => ({
          publication: publications[index],
          serialNumber,
          reason: null,
          at: new Date().toISOString(),
          outcome: (place + round) % 3 === 0 ? 'failed' : 'applied',
        }))
        return host.call('reportOutcomes', { body: { outcomes } })
      },
      () => first.manager.call('retryRollout', { params: { organizationId: organization.id, id: rollout } }),
    ]),
  ).flat()
  const answers = await Promise.all(work.map((call) => call()))
  expect(answers.map(({ status }) => status).filter((status) => ![200, 409].includes(status))).toEqual([])
  const { rows } = await sql`
    select p.applied, p.failed, p.gone, count(o.device_id) filter (where o.outcome = 'applied')::int as "trulyApplied",
      count(o.device_id) filter (where o.outcome = 'failed' and not o.retrying)::int as "trulyFailed",
      count(o.device_id) filter (where (d.zone_id, d.device_type) is distinct from (p.zone_id, p.device_type))::int as "trulyGone"
    from publication p left join outcome o on o.publication_id = p.id left join device d on d.id = o.device_id
    where p.rollout_id = ${rollout} group by p.organization_id, p.id`.execute(db)
  for (const row of rows as Record<string, number>[])
    expect([row.applied, row.failed, row.gone]).toEqual([row.trulyApplied, row.trulyFailed, row.trulyGone])
  expect((rows as { gone: number }[]).some(({ gone }) => gone > 0)).toBe(true)
  const { parts } = await readRollout(first.manager, { organizationId: organization.id, id: rollout })
  for (const { counts } of parts) {
    const { readers, ...states } = counts
    expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(readers)
    expect(Math.min(...Object.values(states))).toBeGreaterThanOrEqual(0)
  }
})

test('an outcome that arrives while its reader is being moved waits, and counts where the reader is then', async () => {
  const zone = await server.zone()
  const elsewhere = await server.zone('Elsewhere', zone.organization)
  const host = await server.host(zone)
  await host.checkIn([reader('A')])
  const params = { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' }
  await zone.manager.call('publishCfg', { params, body: { cfg: '<cfg>1</cfg>', when: 'now' } })
  const publication = (await host.call('getDesired')).body.configurations[0]!.publication
  const move = await db.startTransaction().execute()
  await move.updateTable('device').set({ zone_id: elsewhere.key }).where('zone_id', '=', zone.key).execute()
  const outcome = { publication, serialNumber: 'A', outcome: 'failed', reason: null, at: new Date().toISOString() }
  let isAnswered = false
  const report = host.call('reportOutcomes', { body: { outcomes: [outcome] } }).finally(() => {
    isAnswered = true
  })
  const waits = sql<{
    waits: boolean
  }>`select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`
  await until(async () => isAnswered || (await waits.execute(db)).rows[0]!.waits)
  await move.commit().execute()
  expect((await report).status).toBe(200)
  const row = await db.selectFrom('publication').select(['failed', 'gone']).where('id', '=', publication).executeTakeFirst()
  expect(row).toEqual({ failed: 1, gone: 1 })
})
