import { createHash } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

/**
 * Publishes to four zones in phases. Aachen and Celle are in the first phase, Bonn is in the second, and Dessau in the rest. The role of `limited`
 * is limited to Aachen, Bonn and Dessau.
 */
async function publishInPhases() {
  const first = await server.zone('Aachen')
  const { organization, manager } = first
  const zones = [
    first,
    await server.zone('Bonn', organization),
    await server.zone('Celle', organization),
    await server.zone('Dessau', organization),
  ]
  const hosts = await Promise.all(zones.map((zone) => server.host(zone, `PC ${zone.name}`)))
  for (const [index, host] of hosts.entries()) await host.checkIn([reader(`R${index}`)], { knowsPhases: true })
  const limited = await server.limitedPerson(organization, [zones[0]!, zones[1]!, zones[3]!], ['manage:cfg'])
  const organizationId = organization.id
  const id = uuidv7()
  const gate = { maxFailedPercent: 50, maxSilentPercent: 50 }
  const answer = await manager.call('publishToZones', {
    params: { organizationId },
    body: {
      key: id,
      zones: { ids: zones.map((zone) => zone.id) },
      when: { now: true },
      parts: [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg>1</cfg>' } }],
      phases: [
        { zones: [zones[0]!.id, zones[2]!.id], soakMinutes: 0, gate },
        { zones: [zones[1]!.id], soakMinutes: 0, gate },
      ],
    },
  })
  return { organizationId, manager, limited, zones, hosts, params: { organizationId, id: answer.body.rolloutId } }
}

test('[PPL-04 PHA-01] a role limited to zones begins no phase that also holds for others', async () => {
  const { limited, manager, params } = await publishInPhases()
  const { status, problem } = await limited.call('beginPhase', { params: { ...params, phase: 2 } })
  expect([status, problem.detail]).toEqual([403, 'Your role is limited to zones. The phases of this rollout also hold for others.'])
  expect((await manager.call('beginPhase', { params: { ...params, phase: 2 } })).body).toEqual({ message: 'Phase 2 begins.' })
})

test('[PPL-04 PHA-01] each phase has its own chosen zones, of which a role limited to zones sees its own alone', async () => {
  const { limited, manager, params } = await publishInPhases()
  const chosen = async (by: Pick<typeof manager, 'call'>) =>
    (await by.call('getRollout', { params })).body.phases.map(({ zones, zoneNames }) => [zones, zoneNames])
  expect(await chosen(manager)).toEqual([
    [2, ['Aachen', 'Celle']],
    [1, ['Bonn']],
    [undefined, undefined],
  ])
  expect(await chosen(limited)).toEqual([
    [1, ['Aachen']],
    [1, ['Bonn']],
    [undefined, undefined],
  ])
})

test('[PPL-04 RCD-01] of a reader that came from another zone a role limited to zones reads nothing that happened there', async () => {
  const { organizationId, limited, manager, hosts } = await publishInPhases()
  const { publication } = (await hosts[2]!.call('getDesired', { query: { knowsPhases: true } })).body.configurations[0]!
  const report = (outcome: 'applied' | 'failed') =>
    hosts[2]!.call('reportOutcomes', {
      body: {
        outcomes: [
          { publication, serialNumber: 'R2', outcome, reason: outcome === 'failed' ? 'Locked.' : null, at: new Date().toISOString() },
        ],
      },
    })
  // A failure stays an event of its own when an applied outcome replaces it.
  await report('failed')
  await report('applied')
  const label = `CFG ${createHash('sha256').update('<cfg>1</cfg>').digest('hex').slice(0, 8)}`
  await hosts[0]!.checkIn([reader('R0'), reader('R2')], { knowsPhases: true })
  const events = async (by: Pick<typeof manager, 'call'>) =>
    (await by.call('listDeviceEvents', { params: { organizationId, serialNumber: 'R2' } })).body.eventList.map(({ kind, content }) => [
      kind,
      content,
    ])
  expect(await events(manager)).toEqual(
    expect.arrayContaining([
      ['applied', label],
      ['failed', label],
    ]),
  )
  expect((await events(limited)).filter(([, content]) => content === label)).toEqual([])
})
