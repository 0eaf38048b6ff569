import { uuidv7 } from 'uuidv7'
import { expect, onTestFinished, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const staff = await server.person({ permissions: ['global:access:organizations'] })
const release = async (version: string) =>
  (await staff.call('uploadFirmwareRelease', { fields: { device: 'CR2700', version }, file: new File([version], 'f.crvfw') })).body
const [old, older, latest] = [await release('4.12.0'), await release('4.11.3'), await release('5.0.0')]

/** A zone whose readers run these firmwares, where none was published, and a publish of the latest. */
async function newRollout(firmware: readonly (string | null)[], version = '5.0.0') {
  const zone = await server.zone()
  const host = await server.host(zone)
  await host.checkIn(firmware.map((one, index) => reader(`S${index}`, { firmware: one })))
  const organizationId = zone.organization.id
  const id = uuidv7()
  const place = { organizationId, location: zone.id, device: 'CR2700' }
  await zone.manager.call('publishFirmwareVersion', { params: place, body: { firmwareVersion: version, when: 'now', rollout: id } })
  const params = { organizationId, id }
  const canRollBack = async () => (await zone.manager.call('getRollout', { params })).body.canRollBack
  const part = async () => (await zone.manager.call('listRolloutParts', { params })).body.partList[0]!
  const rollBack = () => zone.manager.call('rollBackRollout', { params, body: { updateTime: null } })
  const desired = async () => (await host.call('getDesired')).body.firmware[0]!
  return { zone, host, canRollBack, part, rollBack, desired }
}

/** Has a reader say that it runs what is desired. */
async function install(host: Awaited<ReturnType<typeof server.host>>, serialNumber: string) {
  const { publication } = (await host.call('getDesired')).body.firmware[0]!
  const outcome = { publication, serialNumber, outcome: 'applied', reason: null, at: new Date().toISOString() }
  await host.call('reportOutcomes', { body: { outcomes: [outcome] } })
}

const nothing = 'There is nothing to roll back to: nothing ran on these readers before that was not halted and is still offered.'

test('[PHA-04] a first firmware is rolled back to the version that most of its readers ran', async () => {
  const { zone, host, canRollBack, part, rollBack, desired } = await newRollout(['4.11.3', '4.12.0', '4.12.0', '4.012.0', '4.11.3', null])
  // They run the new one by now.
  await host.checkIn(['S0', 'S1', 'S2'].map((serial) => reader(serial, { firmware: '5.0.0' })))
  await install(host, 'S0')
  expect(await canRollBack()).toBe(true)
  expect(await part()).toMatchObject({ previous: '4.12.0', ranBefore: { readers: 2, of: 5 } })
  const { body } = await rollBack()
  expect(body.message).toBe('Published Firmware 4.12.0 again.')
  expect(await desired()).toMatchObject({ version: '4.12.0', contentHash: old.contentHash, revision: 2, atOnce: true })
  // Rolled back again, it goes forward: that was published.
  const params = { organizationId: zone.organization.id, id: body.id }
  const [again] = (await zone.manager.call('listRolloutParts', { params })).body.partList
  expect(again).toMatchObject({ previous: '5.0.0' })
  expect(again).not.toHaveProperty('ranBefore')
})

test('[PHA-04] a version that nobody offers is passed over, also where it is withdrawn after the publish', async () => {
  const { canRollBack, part, rollBack, desired } = await newRollout(['9.9.9', '9.9.9', '4.11.3', '4.12.0', '4.12.0', '4.12.0'])
  expect(await part()).toMatchObject({ previous: '4.12.0', ranBefore: { readers: 3, of: 6 } })
  await staff.call('offerFirmwareRelease', { params: { id: old.id }, body: { isOffered: false } })
  expect(await part()).toMatchObject({ previous: '4.11.3', ranBefore: { readers: 1, of: 6 } })
  expect(await canRollBack()).toBe(true)
  await rollBack()
  expect(await desired()).toMatchObject({ version: '4.11.3', contentHash: older.contentHash })
  await staff.call('offerFirmwareRelease', { params: { id: old.id }, body: { isOffered: true } })
})

test.each([
  ['no readers', []],
  ['readers that report no firmware', [null]],
  ['only versions that are not offered', ['9.9.9']],
  ['mostly what was published', ['5.0.0', '5.0.0', '4.12.0']],
])('[PHA-04] there is nothing to roll back to with %s', async (_, firmware) => {
  const { canRollBack, part, rollBack, desired } = await newRollout(firmware)
  expect(await canRollBack()).toBe(false)
  expect(await part()).not.toHaveProperty('previous')
  expect((await rollBack()).problem).toMatchObject({ status: 409, detail: nothing })
  expect(await desired()).toMatchObject({ contentHash: latest.contentHash, revision: 1 })
})

test('[PHA-04] what was published before comes before what readers ran', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  await host.checkIn([reader('A', { firmware: '4.12.0' })])
  const params = { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' }
  const id = uuidv7()
  await zone.manager.call('publishFirmwareVersion', { params, body: { firmwareVersion: '4.11.3', when: 'now' } })
  await install(host, 'A')
  await zone.manager.call('publishFirmwareVersion', { params, body: { firmwareVersion: '5.0.0', rollout: id } })
  const { partList } = (await zone.manager.call('listRolloutParts', { params: { organizationId: zone.organization.id, id } })).body
  expect(partList).toMatchObject([{ previous: '4.11.3' }])
  expect(partList[0]).not.toHaveProperty('ranBefore')
})

test('[PHA-04] where all that was published before was halted, it is what readers ran before the first', async () => {
  const { zone, host } = await newRollout(['4.12.0', '4.12.0', '4.11.3'], '4.11.3')
  const { organization, manager } = zone
  const ids = { organizationId: organization.id }
  await install(host, 'S0')
  const { rolloutList } = (await manager.call('listRollouts', { params: ids })).body
  await manager.call('haltRollout', { params: { ...ids, id: rolloutList[0]!.id } })
  const id = uuidv7()
  const params = { ...ids, location: zone.id, device: 'CR2700' }
  await manager.call('publishFirmwareVersion', { params, body: { firmwareVersion: '5.0.0', when: 'now', rollout: id } })
  const [part] = (await manager.call('listRolloutParts', { params: { ...ids, id } })).body.partList
  expect(part).toMatchObject({ previous: '4.12.0', ranBefore: { readers: 2, of: 3 } })
  await manager.call('rollBackRollout', { params: { ...ids, id }, body: { updateTime: null } })
  expect((await host.call('getDesired')).body.firmware).toMatchObject([{ version: '4.12.0', revision: 3 }])
})

test('[PHA-04] a former firmware whose release was withdrawn is passed over; where all were, there is nothing to go back to', async () => {
  const { zone, host } = await newRollout([null], '4.11.3')
  const { organization, manager } = zone
  const ids = { organizationId: organization.id }
  const params = { ...ids, location: zone.id, device: 'CR2700' }
  const publish = async (firmwareVersion: string) => {
    const id = uuidv7()
    await manager.call('publishFirmwareVersion', { params, body: { firmwareVersion, when: 'now', rollout: id } })
    return { ...ids, id }
  }
  await install(host, 'S0')
  await publish('4.12.0')
  await install(host, 'S0')
  const rollout = await publish('5.0.0')
  const previous = async () => (await manager.call('listRolloutParts', { params: rollout })).body.partList[0]!.previous
  const canRollBack = async () => (await manager.call('getRollout', { params: rollout })).body.canRollBack
  const offer = (id: string, isOffered: boolean) => staff.call('offerFirmwareRelease', { params: { id }, body: { isOffered } })
  onTestFinished(async () => {
    for (const { id } of [old, older]) await offer(id, true)
  })
  expect(await previous()).toBe('4.12.0')
  await offer(old.id, false)
  expect([await previous(), await canRollBack()]).toEqual(['4.11.3', true])
  await offer(older.id, false)
  expect([await previous(), await canRollBack()]).toEqual([undefined, false])
  const rollBack = () => manager.call('rollBackRollout', { params: rollout, body: { updateTime: null } })
  expect((await rollBack()).problem).toMatchObject({ status: 409, detail: nothing })
  await offer(older.id, true)
  expect((await rollBack()).body.message).toBe('Published Firmware 4.11.3 again.')
  expect((await host.call('getDesired')).body.firmware).toMatchObject([{ version: '4.11.3', revision: 4 }])
})

test('[PHA-04] firmware of their own, which no release has, comes back', async () => {
  const { zone, host } = await newRollout([null])
  const { organization, manager } = zone
  const params = { organizationId: organization.id, location: zone.id, device: 'CR2700' }
  const file = new File(['own'], 'own.crvfw')
  await manager.call('publishFirmwareFile', { params, file, fields: { when: 'now' } })
  await install(host, 'S0')
  const id = uuidv7()
  await manager.call('publishFirmwareVersion', { params, body: { firmwareVersion: '5.0.0', when: 'now', rollout: id } })
  await manager.call('rollBackRollout', { params: { organizationId: organization.id, id }, body: { updateTime: null } })
  expect((await host.call('getDesired')).body.firmware).toMatchObject([{ version: null, fileName: 'own.crvfw' }])
})
