import { readerPosition } from '@lectern/contract/publications/reader-position.ts'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

const readers = 8
const serials = Array.from({ length: readers }, (_, index) => `R${index}`)
const some = fc.subarray(serials, { minLength: 1 })
const host = fc.nat({ max: 2 })

/**
 * What host PCs and users do, one after the other. The third host PC is in another zone. Each check-in says whether its agent knows
 * phases.
 */
const step = fc.oneof(
  fc.record({
    do: fc.constant('report' as const),
    host,
    some,
    outcome: fc.constantFrom('applied' as const, 'failed' as const, 'notPossible' as const),
  }),
  fc.record({ do: fc.constant('check in' as const), host, some, knowsPhases: fc.boolean(), isOtherModel: fc.boolean() }),
  fc.record({ do: fc.constant('retry' as const) }),
  fc.record({ do: fc.constant('remove' as const), some }),
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/** Publishes a rollout in two phases to a zone with two host PCs. */
async function publish() {
  const organization = await server.organization()
  const { manager, ...zone } = await server.zone('Here', organization)
  const hosts = [await server.host(zone), await server.host(zone), await server.host(await server.zone('There', organization))]
  await hosts[0]!.checkIn(
    serials.map((serial) => reader(serial)),
    { knowsPhases: true },
  )
  const params = { organizationId: organization.id, id: uuidv7() }
  await manager.call('publishCfg', {
    params: { organizationId: organization.id, location: zone.id, device: 'CR2700' },
    body: {
      cfg: '<cfg>1</cfg>',
      when: 'now',
      rollout: params.id,
      phases: [{ share: 50, soakMinutes: 0, gate: { maxFailedPercent: 100, maxSilentPercent: 100 } }],
    },
  })
  const { publication } = (await hosts[0]!.call('getDesired', { query: { knowsPhases: true } })).body.configurations[0]!
  return { organization, manager, hosts, params, publication }
}
type Published = Awaited<ReturnType<typeof publish>>

async function takeStep({ organization, manager, hosts, params, publication }: Published, one: Step): Promise<void> {
  if (one.do === 'retry') await manager.call('retryRollout', { params })
  else if (one.do === 'remove') {
    // Only readers that no host PC reports can be removed.
    for (const [index, host] of hosts.entries()) await host.checkIn([reader(`X${index}`, { deviceType: 'CR1500' })], { knowsPhases: true })
    for (const serialNumber of one.some) await manager.call('deleteDevice', { params: { organizationId: organization.id, serialNumber } })
  } else if (one.do === 'check in')
    await hosts[one.host]!.checkIn(
      one.some.map((serial) => reader(serial, one.isOtherModel ? { deviceType: 'CR1500' } : {})),
      { knowsPhases: one.knowsPhases },
    )
  else {
    const results = {
      applied: { outcome: 'applied', reason: null },
      failed: { outcome: 'failed', reason: 'Locked.' },
      notPossible: { outcome: 'failed', reason: 'None.', code: 'notPossible' },
    }
    const outcomes = one.some.map((serialNumber) => ({
      publication,
      serialNumber,
      ...results[one.outcome],
      at: new Date().toISOString(),
    }))
    await hosts[one.host]!.call('reportOutcomes', { body: { outcomes } })
  }
}

/**
 * Returns readers, applied, failed and not possible of both phases, counted from the rows of readers in the zone. A reader with an outcome is in the phase that
 * is stored with it, another one in that of its position.
 */
async function countFigures({ organization, params, publication }: Published): Promise<number[][]> {
  const [rollout] = (await sql<{ ends: number[] }>`select phase_ends as ends from rollout where id = ${params.id}`.execute(db)).rows
  const { rows } = await sql<{
    serial: string
    knows: boolean
    outcome: string | null
    code: string | null
    retrying: boolean | null
    phase: number | null
  }>`
    select d.serial_number as serial, coalesce(h.knows_phases, false) as knows, o.outcome, o.code, o.retrying, o.phase
    from publication p join device d on d.organization_id = p.organization_id and d.zone_id = p.zone_id and d.device_type = p.device_type
      left join host h on h.id = d.host_id left join outcome o on o.publication_id = p.id and o.device_id = d.id
    where p.id = ${publication} and p.organization_id = ${organization.key}`.execute(db)
  const phaseOf = ({ serial, knows, phase }: (typeof rows)[number]) =>
    phase ?? (knows && readerPosition(params.id, serial) < rollout!.ends[0]! ? 1 : 2)
  return [1, 2].map((number) => {
    const own = rows.filter((row) => phaseOf(row) === number)
    const applied = own.filter(({ outcome }) => outcome === 'applied').length
    const failed = own.filter(({ outcome, retrying }) => outcome === 'failed' && !retrying).length
    const notPossible = own.filter(({ outcome, code, retrying }) => outcome === 'failed' && !retrying && code === 'notPossible').length
    return [own.length, applied, failed, notPossible]
  })
}

test('[RIT-03] kept figures of phases equal a count after outcomes, moves between host PCs, zones and models, retries and removals in any order', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const published = await publish()
      for (const one of steps) {
        await takeStep(published, one)
        const { body } = await published.manager.call('getRollout', { params: published.params })
        const kept = body.phases.map(({ readers, applied, failed, notPossible = 0 }) => [readers, applied, failed, notPossible])
        expect(kept).toEqual(await countFigures(published))
      }
    }),
    { numRuns: 12 },
  )
})

test('[RIT-03] a reader that has updated in its phase counts there, whichever host PC it is at later', async () => {
  const published = await publish()
  const { params, manager } = published
  const listFigures = async () =>
    (await manager.call('getRollout', { params })).body.phases.map(({ readers, applied }) => [readers, applied])
  const countListed = () =>
    Promise.all([1, 2].map(async (phase) => (await manager.call('listRolloutReaders', { params, query: { phase } })).body.totalCount))
  const first = serials.filter((serial) => readerPosition(params.id, serial) < 5_000)
  await takeStep(published, { do: 'report', host: 0, some: serials, outcome: 'applied' })
  const figures = await listFigures()
  expect(figures.reduce((sum, [, applied]) => sum + applied!, 0)).toBe(readers)
  for (const at of [1, 0, 1]) {
    await takeStep(published, {
      do: 'check in',
      host: at,
      some: first.length > 0 ? first : serials,
      knowsPhases: at === 0,
      isOtherModel: false,
    })
    expect(await listFigures()).toEqual(figures)
    expect(await countListed()).toEqual(figures.map(([all]) => all))
  }
  await takeStep(published, { do: 'remove', some: serials })
  expect(await listFigures()).toEqual(figures.map(() => [0, 0]))
})
