import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { sweepRollouts } from '../rollouts/rollouts.ts'
import { countFree, whileWaiting } from '../testing/database/held.ts'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

/** Publishes to two zones. The publication in the second zone has the lower id, and is the later one in every other order. */
async function publishToTwo() {
  const first = await server.zone('Aachen')
  const { organization, manager } = first
  const zones = [await server.zone('Bonn', organization), first]
  const params = { organizationId: organization.id, id: uuidv7() }
  for (const [cfg, rollout] of [
    ['0', uuidv7()],
    ['1', params.id],
  ] as const)
    for (const { id } of zones)
      await manager.call('publishCfg', {
        params: { organizationId: organization.id, location: id, device: 'CR2700' },
        body: { cfg: `<cfg>${cfg}</cfg>`, when: 'now', rollout },
      })
  await sql`update publication set number = number + 9 where zone_id = ${zones[0]!.key}`.execute(db)
  return { zones, manager, params }
}

test.each<[string, (of: Awaited<ReturnType<typeof publishToTwo>>) => Promise<unknown>]>([
  ['a halt', ({ manager, params }) => manager.call('haltRollout', { params })],
  ['a roll back', ({ manager, params }) => manager.call('rollBackRollout', { params, body: { updateTime: null } })],
  [
    'a publish that replaces both',
    ({ manager, params, zones }) => {
      const parts = [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg>2</cfg>' } }]
      const body = { key: uuidv7(), zones: { ids: zones.map(({ id }) => id) }, parts, when: { now: true }, withoutHost: true }
      return manager.call('publishToZones', { params: { organizationId: params.organizationId }, body })
    },
  ],
  [
    'the count of readers that have moved',
    async ({ zones }) => {
      for (const [index, zone] of zones.entries()) await (await server.host(zone)).checkIn([reader(`R${index}`)])
      await sweepRollouts(db)
    },
  ],
])('%s holds publications in the order of their ids, as reports of two models do', async (_, work) => {
  const rollout = await publishToTwo()
  const of = (index: number) => sql`publication where zone_id = ${rollout.zones[index]!.key} and rollout_id = ${rollout.params.id}`
  const free = await whileWaiting(
    db,
    sql`select from ${of(1)} for no key update`,
    () => work(rollout),
    () => countFree(db, of(0)),
  )
  expect(free).toBe(0)
})
