import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { statementsDuring } from '../testing/database/statements.ts'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

test('[PUB-15] who halts, resumes, limits or begins a phase waits for no reader, host or download to be looked up, and hosts are told together', async () => {
  const first = await server.zone('Aachen')
  const { organization, manager } = first
  const zones = [first, await server.zone('Bonn', organization)]
  const hosts = await Promise.all(zones.map((zone) => server.host(zone)))
  for (const [index, host] of hosts.entries())
    await host.checkIn(
      Array.from({ length: 10 }, (_, place) => reader(`${index}${place}`)),
      { knowsPhases: true },
    )
  const params = { organizationId: organization.id, id: uuidv7() }
  const parts = [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg>1</cfg>' } }]
  const phases = [{ share: 50, soakMinutes: 0, gate: 'by hand' }]
  await manager.call('publishToZones', {
    params,
    body: { key: params.id, zones: { filter: {} }, parts, when: { now: true }, phases, limits: { haltAbovePercent: 20, stopTime: null } },
  })
  const report = async (place: number, serials: readonly string[]) => {
    const { publication } = (await hosts[place]!.call('getDesired', { query: { knowsPhases: true } })).body.configurations[0]!
    const common = { publication, outcome: 'failed', reason: 'Locked.', at: new Date().toISOString() }
    return hosts[place]!.call('reportOutcomes', { body: { outcomes: serials.map((serialNumber) => ({ ...common, serialNumber })) } })
  }
  const setLimit = (haltAbovePercent: number) =>
    manager.call('setSafetyLimit', { params, body: { haltAbovePercent, stopTime: null, forLater: false } })
  const calls: [name: string, call: () => Promise<{ status: number }>][] = [
    ['haltRollout', () => manager.call('haltRollout', { params })],
    ['resumeRollout', () => manager.call('resumeRollout', { params })],
    ['beginPhase', () => manager.call('beginPhase', { params: { ...params, phase: 2 } })],
    ['a report', () => report(0, ['00', '01', '02'])],
    ['another', () => report(1, ['10', '11'])],
    ['resumeRollout', () => manager.call('resumeRollout', { params })],
    ['setSafetyLimit', () => setLimit(5)],
  ]
  for (const [name, call] of calls) {
    const statements = await statementsDuring(async () => expect((await call()).status, name).toBe(200))
    const looks = statements.filter(({ sql }) => /from progress g|from host late|time_zones/.test(sql))
    expect(looks, name).toEqual([])
    expect(statements.filter(({ sql }) => /insert into "?event"?/.test(sql)).length, name).toBe(name === 'another' ? 0 : 1)
  }
  const { body } = await manager.call('getRollout', { params })
  expect(body.safetyLimit).toMatchObject({ zoneCount: 2, halting: 2 })
  const entries = await server.app.db
    .selectFrom('audit_entry')
    .select(['target', 'zone_name', 'new_value'])
    .where('organization_id', '=', organization.key)
    .where('change_type', '=', 'safetyHalt')
    .orderBy('id')
    .execute()
  expect(entries).toEqual([
    { target: body.title, zone_name: 'Aachen', new_value: '3 of 10 readers' },
    { target: body.title, zone_name: 'Aachen', new_value: '3 of 10 readers' },
    { target: body.title, zone_name: 'Bonn', new_value: '2 of 10 readers' },
  ])
})
