import { readerPosition } from '@lectern/contract/publications/reader-position.ts'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader, type TestOrganization } from '../testing/makers.ts'
import { readRollout } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const gate = { maxFailedPercent: 20, maxSilentPercent: 50 }

/** A zone with twenty readers. */
async function newZone(name: string, knowsPhases: boolean, owner?: TestOrganization) {
  const zone = await server.zone(name, owner)
  const serials = Array.from({ length: 20 }, (_, index) => `${name[0]}${index}`)
  await (await server.host(zone)).checkIn(
    serials.map((serial) => reader(serial)),
    { knowsPhases },
  )
  return { ...zone, serials }
}

function sender(zones: readonly Awaited<ReturnType<typeof server.zone>>[]) {
  const { organization, manager } = zones[0]!
  const body = {
    zones: { ids: zones.map(({ id }) => id) },
    parts: [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg>1</cfg>' } }],
    when: { now: true },
  }
  const params = { organizationId: organization.id }
  return (phases: unknown) => manager.call('publishToZones', { params, body: { key: uuidv7(), ...body, phases } })
}

test('[PHA-01] a rollout over many zones has phases through one call, which refuses a phase without readers', async () => {
  const zone = await newZone('ED Triage', true)
  const other = await newZone('ICU 3 North', true, zone.organization)
  const send = sender([zone, other])
  const empty = await server.zone('Stock', zone.organization)
  await server.host(empty)
  const refused = await sender([zone, empty])([{ zones: [empty.id], soakMinutes: 0, gate }])
  expect(refused.problem.detail).toBe('The zones of phase 1 get no reader of this rollout. Choose others.')
  expect((await send([{ zones: [zone.id, other.id], soakMinutes: 0, gate }])).problem.detail).toBe(
    'No reader is left for the last phase. Remove a phase.',
  )
  const lone = await server.zone('Lone', zone.organization)
  await (await server.host(lone)).checkIn([reader('L')], { knowsPhases: true })
  const first = { share: 1, soakMinutes: 0, gate }
  expect((await sender([lone])([first])).problem.detail).toBe('No reader is left for the last phase. Remove a phase.')
  expect((await sender([lone])([first, first])).problem.detail).toBe(
    'No reader is left for phase 2, so its gate would show nothing. Remove a phase.',
  )
  const { rolloutId } = (
    await send([
      { zones: [other.id], soakMinutes: 0, gate },
      { share: 40, soakMinutes: 0, gate },
    ])
  ).body
  const { phases } = await readRollout(zone.manager, { organizationId: zone.organization.id, id: rolloutId })
  const inShare = zone.serials.filter((serial) => readerPosition(rolloutId, serial) < 4000).length
  expect(phases).toMatchObject([
    { zones: 1, state: 'running', readers: 20 },
    { share: 40, state: 'waiting', readers: inShare },
    { state: 'waiting', readers: 20 - inShare },
  ])
})

test('[PHA-01] zones of a phase that were deleted, are not published to or do not exist are named, and nothing is published', async () => {
  const zone = await newZone('ED Triage', true)
  const { organization, manager } = zone
  const elsewhere = await server.zone('Elsewhere', organization)
  const gone = await server.zone('Gone', organization)
  await manager.call('deleteZone', { params: { organizationId: organization.id, location: gone.id } })
  const phase = { soakMinutes: 0, gate }
  const answer = await sender([zone])([
    { ...phase, zones: [zone.id, gone.id] },
    { ...phase, zones: [elsewhere.id, uuidv7()] },
  ])
  expect([answer.status, answer.problem.errors]).toEqual([
    409,
    [
      { field: 'phases', message: 'The zone "Gone" of phase 1 was deleted.' },
      { field: 'phases', message: 'The zone "Elsewhere" of phase 2 is not published to.' },
      { field: 'phases', message: 'Phase 2 has a zone that does not exist.' },
    ],
  ])
  expect((await manager.call('listRollouts', { params: { organizationId: organization.id } })).body.totalCount).toBe(0)
})

test('[PHA-01] where apps are too old for phases, the sentence says so', async () => {
  const zone = await newZone('ED Triage', false)
  const other = await newZone('ICU 3 North', false, zone.organization)
  expect((await sender([zone, other])([{ share: 40, soakMinutes: 0, gate }])).problem.detail).toBe(
    '2 host PCs of these zones have an app that is too old for phases, so all their readers wait for the last phase and phase 1 has none. Update the app, or publish without phases.',
  )
})
