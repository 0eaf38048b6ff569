import { expect, test } from 'vitest'
import { reader } from './testing/makers.ts'
import { serverForFile } from './testing/server.ts'

const server = await serverForFile()
const decomposed = 'Bu\u0308ro'
const composed = 'B\u00fcro'

test.each(['\u200b', '\u3164', '\u00ad', ' \u2800 '])('[INP-02] a zone cannot be called %j, which shows nothing', async (location) => {
  const { manager, organization } = await server.zone()
  const { status, problem } = await manager.call('createZone', { params: { organizationId: organization.id, location } })
  expect([status, problem.detail]).toEqual([400, 'Enter a name for the zone.'])
})

test('[INP-02] zones of one name in two forms of its characters are one, and a search finds it by either', async () => {
  const { manager, organization } = await server.zone(decomposed)
  const params = { organizationId: organization.id }
  expect((await manager.call('listZones', { params })).body.map(({ name }) => name)).toEqual([composed])
  for (const location of [composed, decomposed, ` ${composed.toUpperCase()} `])
    expect((await manager.call('createZone', { params: { ...params, location } })).status).toBe(409)
  const host = await server.host({ id: (await manager.call('listZones', { params })).body[0]!.id, organization })
  await host.checkIn([reader(` ${decomposed}-1 `)])
  for (const textFilter of [composed, decomposed]) {
    const query = { ColumnName: 'DeviceSerialNumber', Direction: 'Ascending', PageSize: 10, textFilter } as const
    expect((await manager.call('listDevices', { params, query })).body.deviceList.map(({ serialNumber }) => serialNumber)).toEqual([
      `${composed}-1`,
    ])
  }
})

test('[INP-02] a script whose name shows another ending than it has is refused', async () => {
  const zone = await server.zone()
  const params = { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' }
  const upload = (name: string) => zone.manager.call('publishCodeRules', { params, file: new File(['rules_onDecode = (d) => d'], name) })
  for (const name of ['a\u202esj.js', 'a\u200b.js', 'a\u00ad.js']) expect((await upload(name)).status).toBe(400)
  expect((await upload('a\u202esj.js')).problem.detail).toBe(
    'The file cannot be used. The name has a character that changes the direction of text.',
  )
  expect((await upload(`${decomposed}.js`)).status).toBe(200)
  const stored = await server.app.db.selectFrom('publication').select('file_name').where('zone_id', '=', zone.key).execute()
  expect(stored).toEqual([{ file_name: `${composed}.js` }])
})

test('[INP-02] an address whose domain is written in two ways is one, shown as people read it', async () => {
  const organization = await server.organization()
  const manager = await server.person({ organization, permissions: ['manage:people', 'manage:cfg', 'manage:firmware'] })
  const params = { organizationId: organization.id }
  const { roleList } = (await manager.call('listRoles', { params })).body
  const viewer = roleList.find(({ name }) => name === 'Viewer')!
  const invite = (email: string) =>
    manager.call('createInvitation', { params, body: { email, roleId: viewer.roleId, groupId: organization.groupId } })
  expect((await invite('anna@xn--bcher-kva.example')).status).toBe(200)
  for (const email of ['anna@bücher.example', 'Anna@BÜCHER.example', 'anna@bu\u0308cher.example', 'anna@XN--BCHER-KVA.example'])
    expect([email, (await invite(email)).status]).toEqual([email, 409])
  const staff = await server.person({ permissions: ['global:access:organizations'] })
  const input = { subject: 'Reader is silent', description: 'It says nothing.' }
  for (const contactEmail of [' anna@xn--bcher-kva.example', 'anna@bücher.example'])
    expect((await staff.call('createCase', { body: { ...input, contactEmail } })).body.contactEmail).toBe('anna@bücher.example')
  for (const address of ['anna@xn--bcher-kva.example', 'anna@bu\u0308cher.example'])
    expect((await staff.call('listCases', { params: { address }, query: {} })).body.listCase).toHaveLength(2)
  const { invitationList } = (await manager.call('listInvitations', { params })).body
  expect(invitationList.map(({ email }) => email)).toEqual(['anna@bücher.example'])
})
