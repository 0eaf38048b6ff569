import fc from 'fast-check'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'
import { sweepRollouts } from './rollouts.ts'

const server = await serverForFile()
const { db } = server.app

const serials = ['A', 'B', 'C', 'D', 'E']
const zoneIndex = fc.nat({ max: 2 })
const some = fc.subarray(serials, { minLength: 1 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('publish' as const), zone: zoneIndex, content: fc.nat({ max: 2 }), rollout: fc.nat({ max: 2 }) }),
  fc.record({ kind: fc.constant('checkIn' as const), zone: zoneIndex, readers: some }),
  fc.record({ kind: fc.constant('report' as const), zone: zoneIndex, readers: some, outcome: fc.constantFrom('applied', 'failed') }),
  fc.record({
    kind: fc.constantFrom('halt' as const, 'resume' as const, 'retry' as const, 'rollBack' as const),
    rollout: fc.nat({ max: 2 }),
  }),
  fc.record({ kind: fc.constantFrom('fold' as const, 'deleteReader' as const, 'deleteZone' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

async function openOrganization() {
  const organization = await server.organization()
  const first = await server.zone('One', organization)
  const zones = [first, await server.zone('Two', organization), await server.zone('Three', organization)]
  const hosts = await Promise.all(zones.map((zone) => server.host(zone)))
  const rollouts = [uuidv7(), uuidv7(), uuidv7()]
  const { manager } = first
  const organizationId = organization.id
  const calls = { halt: 'haltRollout', resume: 'resumeRollout', retry: 'retryRollout' } as const
  const take = async (one: Step): Promise<unknown> => {
    if (one.kind === 'publish') {
      const params = { organizationId, location: zones[one.zone]!.id, device: 'CR2700' }
      return manager.call('publishCfg', { params, body: { cfg: `<cfg>${one.content}</cfg>`, when: 'now', rollout: rollouts[one.rollout] } })
    }
    if (one.kind === 'checkIn') return hosts[one.zone]!.checkIn(one.readers.map((serial) => reader(serial)))
    if (one.kind === 'report') {
      const desired = (await hosts[one.zone]!.call('getDesired', { query: { knowsReturns: true } })).body
      const publication = (desired?.returns?.configurations?.[0] ?? desired?.configurations?.[0])?.publication
      const outcomes = one.readers.map((serialNumber) => ({
        publication,
        serialNumber,
        outcome: one.outcome,
        reason: null,
        at: new Date().toISOString(),
      }))
      return publication && hosts[one.zone]!.call('reportOutcomes', { body: { outcomes } })
    }
    if (one.kind === 'rollBack') {
      const { rolloutList } = (await manager.call('listRollouts', { params: { organizationId } })).body
      const { id } = rolloutList[one.rollout % Math.max(rolloutList.length, 1)] ?? { id: rollouts[0]! }
      return manager.call('rollBackRollout', { params: { organizationId, id }, body: { updateTime: null } })
    }
    if ('rollout' in one) return manager.call(calls[one.kind], { params: { organizationId, id: rollouts[one.rollout]! } })
    if (one.kind === 'fold') return sweepRollouts(db)
    if (one.kind === 'deleteReader')
      return sql`delete from device where organization_id = ${organization.key} and serial_number = 'E'`.execute(db)
    await manager.call('removeHost', { params: { organizationId, host: hosts[2]!.hostId } })
    return manager.call('deleteZone', { params: { organizationId, location: zones[2]!.id } })
  }
  const list = async () => (await manager.call('listRollouts', { params: { organizationId } })).body.rolloutList
  const detail = async (id: string) => (await manager.call('getRollout', { params: { organizationId, id } })).body
  const readers = async (id: string, query: object = {}) =>
    (await manager.call('listRolloutReaders', { params: { organizationId, id }, query: { PageSize: 100, ...query } })).body
  return { key: organization.key, take, list, detail, readers }
}

/** Compares the sums of an organization's rollouts, as the list has them, with a count of their publications and readers. */
async function compareSums(organizationId: number) {
  const { rows } = await sql<{ kept: object; counted: object }>`
    with part as (
      select p.*, case when replaced_at is null then gone + (case when p.for_readers then (select count(*) from publication_reader own join device d on d.organization_id = own.organization_id and d.id = own.device_id
          where own.organization_id = p.organization_id and own.publication_id = p.id and d.zone_id = p.zone_id and d.device_type = p.device_type)
        else (select count(*) from device d where d.organization_id = p.organization_id and d.zone_id = p.zone_id and d.device_type = p.device_type) end)::int else greatest(replaced_readers, applied + failed) end as readers
      from publication p where organization_id = ${organizationId}
    ), moved as (
      select p.rollout_id, p.halted_at is not null as halted, p.readers - p.gone - p.present as readers from part p
      where replaced_at is null and not for_readers and (zone_id, device_type) in (select zone_id, device_type from present_change where organization_id = ${organizationId})
    )
    select json_build_array(sum(c.parts), sum(c.readers) + coalesce((select sum(readers) from moved m where m.rollout_id = c.rollout_id), 0), sum(c.applied),
        sum(c.failed), sum(c.halted) + coalesce((select sum(readers) from moved m where m.rollout_id = c.rollout_id and halted), 0),
        sum(c.current), sum(c.held), sum(c.retryable)) as kept, (
      select json_build_array(count(*), sum(readers), sum(applied), sum(failed),
        coalesce(sum(readers - applied - failed) filter (where halted_at is not null and replaced_at is null), 0), count(*) filter (where replaced_at is null),
        count(*) filter (where replaced_at is null and halted_at is not null),
        coalesce(sum((select count(*) from outcome o where o.organization_id = ${organizationId} and o.publication_id = part.id
          and outcome = 'failed' and not retrying and is_here)) filter (where replaced_at is null), 0))
      from part where part.rollout_id = c.rollout_id) as counted
    from rollout_count c where organization_id = ${organizationId} group by rollout_id`.execute(db)
  return [rows.map(({ kept }) => kept), rows.map(({ counted }) => counted)]
}

/** Compares when publications of an organization last settled and failed: as it is stored, and as their outcomes have it. */
async function compareTimes(organizationId: number) {
  const { rows } = await sql<{ kept: object; counted: object }>`
    select json_build_array(settled_at, failed_at) as kept,
      json_build_array(max(reported_at) filter (where not retrying and outcome <> 'kept'), max(reported_at) filter (where not retrying and outcome = 'failed')) as counted
    from publication p left join outcome o on o.organization_id = ${organizationId} and o.publication_id = p.id
    where p.organization_id = ${organizationId} group by p.organization_id, p.id`.execute(db)
  return [rows.map(({ kept }) => kept), rows.map(({ counted }) => counted)]
}

const countOpen = ({ waiting, downloading, silent }: { waiting: number; downloading: number; silent: number }) =>
  waiting + downloading + silent

test('the list shows of every rollout what its page adds up, whatever happens at once', { timeout: 120_000 }, async () => {
  const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 10 })
  const property = fc.asyncProperty(rounds, async (all) => {
    const { key, take, list, detail, readers } = await openOrganization()
    for (const round of all) {
      await Promise.all(round.map(take))
      for (const { counts, ...listed } of await list()) {
        const page = await detail(listed.id)
        const head = Object.keys(listed).map((name) => [name, page[name as keyof typeof page]])
        expect(listed).toEqual(Object.fromEntries(head))
        expect({ ...counts, waiting: countOpen(counts) }).toEqual({ ...page.counts, waiting: countOpen(page.counts), silent: 0 })
      }
      for (const compare of [compareSums, compareTimes]) {
        const [kept, counted] = await compare(key)
        expect(kept).toEqual(counted)
      }
    }
    for (const { id } of await list()) {
      const { counts } = await detail(id)
      const { readerList, totalCount } = await readers(id)
      expect([totalCount, readerList.length]).toEqual([counts.readers - counts.replaced, counts.readers - counts.replaced])
      for (const state of ['applied', 'failed', 'waiting', 'downloading', 'silent'] as const) {
        const some = await readers(id, { state })
        expect(some).toMatchObject({ readerList: readerList.filter((one) => one.state === state), totalCount: counts[state] })
      }
    }
    await sweepRollouts(db)
    const [kept, counted] = await compareSums(key)
    expect(kept).toEqual(counted)
    expect((await sql`select from present_change where organization_id = ${key}`.execute(db)).rows).toEqual([])
  })
  await fc.assert(property, { numRuns: 12 })
})
