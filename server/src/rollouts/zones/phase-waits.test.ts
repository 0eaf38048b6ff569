import { readerPosition } from '@lectern/contract/publications/reader-position.ts'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../../testing/makers.ts'
import { serverForFile } from '../../testing/server.ts'

const server = await serverForFile()

test('[PHA-01] a zone none of whose readers may begin waits for its phase, wherever its state is named and narrowed to', async () => {
  const owner = await server.organization()
  const newZone = async (name: string) => {
    const zone = await server.zone(name, owner)
    const host = await server.host(zone)
    const serials = Array.from({ length: 24 }, (_, index) => `${name}-${index}`)
    await host.checkIn(
      serials.map((serial) => reader(serial)),
      { knowsPhases: true },
    )
    const apply = async (which: readonly string[]) => {
      const { publication } = (await host.call('getDesired', { query: { knowsPhases: true } })).body.configurations[0]!
      const outcomes = which.map((serialNumber) => ({
        serialNumber,
        publication,
        outcome: 'applied' as const,
        reason: null,
        at: new Date().toISOString(),
      }))
      await host.call('reportOutcomes', { body: { outcomes } })
    }
    return { ...zone, serials, apply }
  }
  const [north, south, depot] = [await newZone('North'), await newZone('South'), await newZone('Depot')]
  const { manager } = north
  const params = { organizationId: owner.id, id: uuidv7() }
  await manager.call('publishToZones', {
    params: { organizationId: owner.id },
    body: {
      key: params.id,
      zones: { ids: [north.id, south.id, depot.id] },
      parts: [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg></cfg>' } }],
      when: { now: true },
      phases: [
        { zones: [north.id], soakMinutes: 60, gate: 'by hand' },
        { share: 50, soakMinutes: 60, gate: 'by hand' },
      ],
    },
  })
  const isInShare = (serial: string) => readerPosition(params.id, serial) < 5000
  // Zones have few readers, so all readers of a zone may be in one half.
  const firstOf = (some: readonly string[]) => (some.some(isInShare) ? 2 : 3)
  const zones = async () =>
    Object.fromEntries(
      (await manager.call('listRolloutParts', { params })).body.partList.map(({ zone, state, phaseWaitedFor }) => [
        zone,
        [state, phaseWaitedFor],
      ]),
    )
  const named = async (state: string) =>
    (await manager.call('listRolloutParts', { params, query: { state } })).body.partList.map(({ zone }) => zone)
  const rollouts = async (state: string) => {
    const { rolloutList } = (await manager.call('listRollouts', { params, query: { state } })).body
    return rolloutList.map(({ id, phaseWaitedFor }) => [id, phaseWaitedFor])
  }
  const updating = ['updating', undefined]

  expect(await zones()).toEqual({
    North: updating,
    South: ['waitingForPhase', firstOf(south.serials)],
    Depot: ['waitingForPhase', firstOf(depot.serials)],
  })
  expect([await named('updating'), await named('waitingForPhase')]).toEqual([['North'], ['Depot', 'South']])
  expect([(await rollouts('updating')).length, (await rollouts('waitingForPhase')).length]).toEqual([1, 0])

  await north.apply(north.serials)
  expect((await manager.call('getRollout', { params })).body).toMatchObject({ state: 'waitingForPhase', phaseWaitedFor: 2 })
  expect(await rollouts('waitingForPhase')).toEqual([[params.id, 2]])
  expect(await rollouts('updating')).toEqual([])

  await manager.call('beginPhase', { params: { ...params, phase: 2 } })
  await south.apply(south.serials.filter(isInShare))
  expect(await zones()).toEqual({ North: ['complete', undefined], South: ['waitingForPhase', 3], Depot: updating })
  expect([await named('updating'), await named('waitingForPhase')]).toEqual([['Depot'], ['South']])
  await manager.call('beginPhase', { params: { ...params, phase: 3 } })
  expect(await zones()).toEqual({ North: ['complete', undefined], South: updating, Depot: updating })
})
