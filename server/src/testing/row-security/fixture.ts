import { customerPermissions } from '@lectern/contract/http/permissions.ts'
import { uuidv7 } from 'uuidv7'
import { deskRecord, reader, type TestPerson } from '../makers.ts'
import { knownRequest } from '../scenarios/people-writes.ts'
import type { TestServer } from '../server.ts'
import { timeIn } from '../waiting-rollout.ts'

// An organization that has one of everything. All that people enter begins with its mark.
export async function createFixture(server: TestServer, mark: string) {
  const organization = await server.organization(`${mark} organization`)
  const join = (permissions: Parameters<typeof server.person>[0]) => server.person({ organization, ...permissions })
  const manager = await join({ permissions: customerPermissions, email: `manager@${mark}.example` })
  const viewer = await join({ email: `viewer@${mark}.example` })
  const zone = await server.zone(`${mark} zone`, organization)
  const number = await server.licence(organization)
  const host = await server.host(zone, `${mark} host`, number)
  const params = { organizationId: organization.id, location: zone.id }
  const [serialNumber, other] = [`${mark}-1`, `${mark}-2`]
  const readers = [reader(serialNumber), reader(other, { batteryHealth: 2 }), reader(`${mark}-3`, { deviceType: 'V1300', firmware: '0.1' })]
  await host.checkIn(readers)
  const rollout = uuidv7()
  const place = { ...params, device: 'CR2700' }
  await manager.call('publishCfg', { params: place, body: { cfg: `<cfg>${mark} before</cfg>`, when: 'now' } })
  await manager.call('publishCfg', { params: place, body: { cfg: `<cfg>${mark}</cfg>`, when: 'now', rollout } })
  const file = new File([`${mark} firmware`], `${mark}.crbfw`)
  await manager.call('publishFirmwareFile', { params: { ...params, device: 'V1300' }, file })
  const { configurations, firmware } = (await host.call('getDesired')).body
  const publication = configurations[0]!.publication
  const outcome = { publication, serialNumber, outcome: 'failed', reason: `${mark} failed.`, at: new Date().toISOString() }
  await host.call('reportOutcomes', { body: { outcomes: [outcome] } })
  await host.call('reportProgress', { body: { progress: [{ publication, serialNumber: other, percent: 40 }] } })
  const empty = await manager.call('createZone', { params: { organizationId: organization.id, location: `${mark} empty` } })
  const waiting = uuidv7()
  const later = { cfg: `<cfg>${mark} later</cfg>`, updateTime: timeIn(6), rollout: waiting }
  await manager.call('publishCfg', { params: { ...params, device: 'V1300' }, body: later })
  const recovery = uuidv7()
  const lost = { organization_id: organization.key, id: recovery, user_id: viewer.userId, ...knownRequest }
  const expires_at = new Date(Date.now() + 3_600_000)
  await server.app.db
    .insertInto('passkey_recovery')
    .values({ ...lost, expires_at })
    .execute()
  const things = await createThings(manager, mark, organization, zone.id)
  await server.app.sweep()
  return {
    people: { manager, viewer },
    host,
    licence: number,
    key: organization.key,
    ids: {
      ...things,
      organizationId: organization.id,
      location: zone.id,
      emptyZone: empty.body.id,
      hostId: host.hostId,
      serialNumber,
      other,
      rollout,
      waiting,
      publication,
      recovery,
      content: firmware[0]!.contentHash,
      groupId: organization.groupId,
      memberId: viewer.userId,
      number,
    },
  }
}

async function createThings(
  manager: TestPerson,
  mark: string,
  { id: organizationId, groupId }: { id: string; groupId: number },
  zone: string,
) {
  const params = { organizationId }
  const saved = `${mark} saved`
  await manager.call('saveConfiguration', { params: { ...params, deviceName: 'CR2700', name: saved }, body: ['SYAZTCSEN1'] })
  const content = { kind: 'commands', commands: ['SYAZTCSEN1'] }
  const entry = await manager.call('createLibraryEntry', { params, body: { name: `${mark} entry`, device: 'CR2700', content } })
  const deleted = await manager.call('createLibraryEntry', { params, body: { name: `${mark} deleted`, device: 'CR2700', content } })
  await manager.call('deleteLibraryEntry', { params: { ...params, id: deleted.body.id } })
  const group = await manager.call('createGroup', { body: { name: `${mark} group` } })
  await manager.call('tagZones', { params, body: { zones: [zone], add: [`${mark} tag`] } })
  const limit = { zones: [zone], tags: [`${mark} tag`] }
  const role = await manager.call('createRole', { params, body: { name: `${mark} role`, permissions: ['manage:cfg'], ...limit } })
  const invited = { email: `guest@${mark}.example`, roleId: 'viewer', groupId }
  const invitation = await manager.call('createInvitation', { params, body: invited })
  const licence = await manager.call('createLicence', { params, body: { serialNumbers: [`${mark}-1`] } })
  const registered = await manager.call('createReader', { params: { customerid: organizationId }, body: { sn: `${mark}-1` } })
  const deskId = uuidv7()
  await manager.call('createDeskRecord', { params, body: deskRecord({ id: deskId, serialNumber: `${mark}-1`, typed: `${mark} typed` }) })
  const body = { configName: `${mark} config`, configString: `${mark} text` }
  const config = await manager.call('createConfig', { query: { collection: `${mark}` }, body })
  const record = { deviceId: `${mark}-1`, model: 'TC58', os: `${mark} OS`, at: new Date().toISOString(), decodes: 3 }
  const location = { city: `${mark} city`, latitude: 1, longitude: 1 }
  await manager.call('logDevices', { body: { records: [{ ...record, location }] } })
  return {
    saved,
    entry: entry.body.id,
    deleted: deleted.body.id,
    otherGroup: group.body.gid,
    roleId: role.body.roleId,
    invitationId: invitation.body.invitationId,
    licenceId: licence.body.id,
    readerId: registered.body.readerId,
    record: deskId,
    configId: config.body.id,
    collection: mark,
  }
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>
export type Ids = Fixture['ids']
