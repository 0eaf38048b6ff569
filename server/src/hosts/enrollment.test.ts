import { createHash, randomUUID } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

const makeEnrollment = (zoneId: string, parts: object = {}) => ({
  zoneId,
  hostName: 'NRH-ICU-01',
  timeZone: 'America/Chicago',
  agentVersion: '1.2.3',
  credentialHash: createHash('sha256').update(randomUUID()).digest('hex'),
  ...parts,
})
const enroll = (token: string, body: unknown) => server.call('enrollHost', { body }, { token })

test('enrols a host with zone id and licence number, and says so in the audit log', async () => {
  const zone = await server.zone('ICU')
  const { status, body } = await enroll(await server.licence(zone.organization), makeEnrollment(zone.id))
  expect(status).toBe(200)
  const { body: vendorKeys } = await server.call('getVendorKeys')
  expect(body).toEqual({ hostId: expect.any(String), organizationId: zone.organization.id, zoneName: 'ICU', vendorKeys })
  const audit = db
    .selectFrom('audit_entry')
    .selectAll()
    .where('organization_id', '=', zone.organization.key)
    .where('change_type', '=', 'enrolHost')
  expect(await audit.execute()).toMatchObject([{ target: 'NRH-ICU-01', zone_name: 'ICU', initiator_id: null, address: '127.0.0.1' }])
})

test('the server keeps no credential, only its hash', async () => {
  const host = await server.host(await server.zone())
  const rows = db.selectFrom('host').innerJoin('host_credential', 'host_credential.host_id', 'host.id').selectAll()
  const row = await rows.where('public_id', '=', host.hostId).executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain(host.credential)
  expect(row.credential_hash).toBe(createHash('sha256').update(host.credential).digest('hex'))
})

test('the zone id alone opens nothing, nor does a licence number that does not exist', async () => {
  const zone = await server.zone()
  const { status, problem } = await enroll('LEC-WRONG', makeEnrollment(zone.id))
  expect([status, problem.detail]).toEqual([401, 'There is no such licence number.'])
  expect((await enroll(zone.id, makeEnrollment(zone.id))).status).toBe(401)
  expect((await server.call('enrollHost', { body: makeEnrollment(zone.id) })).status).toBe(401)
})

test("a licence opens its organization's zones only; another organization's zone gets the same refusal as an unknown one", async () => {
  const [zone, other] = [await server.zone(), await server.zone()]
  const licence = await server.licence(zone.organization)
  const detail = 'This licence number does not belong to the zone of this location file, or the zone was deleted.'
  for (const id of [other.id, uuidv7()]) expect((await enroll(licence, makeEnrollment(id))).problem).toMatchObject({ status: 404, detail })
})

test('sent again it returns the same host; the credential serves no other zone', async () => {
  const zone = await server.zone()
  const second = await server.zone('Second', zone.organization)
  const licence = await server.licence(zone.organization)
  const enrollment = makeEnrollment(zone.id)
  const answers = await Promise.all(Array.from({ length: 5 }, () => enroll(licence, enrollment)))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  const audit = db
    .selectFrom('audit_entry')
    .select('id')
    .where('organization_id', '=', zone.organization.key)
    .where('change_type', '=', 'enrolHost')
  expect(await audit.execute()).toHaveLength(1)
  const { status, problem } = await enroll(licence, { ...enrollment, zoneId: second.id })
  expect([status, problem.detail]).toEqual([409, 'This credential was used before. Enroll with a new one.'])
})

test('the credential of a removed host enrolls no host', async () => {
  const zone = await server.zone()
  const licence = await server.licence(zone.organization)
  const enrollment = makeEnrollment(zone.id)
  const host = (await enroll(licence, enrollment)).body.hostId
  await zone.manager.call('removeHost', { params: { organizationId: zone.organization.id, host } })
  const { status, problem } = await enroll(licence, enrollment)
  expect([status, problem.detail]).toEqual([409, 'This credential was used before. Enroll with a new one.'])
})

test.for<[string, object, string]>([
  ['a zone id that is none', { zoneId: 'ICU' }, 'zoneId must be an id'],
  ['no host name', { hostName: '' }, 'hostName must not be empty'],
  ['a host name of two lines', { hostName: 'A\nB' }, 'hostName must not have control characters'],
  ['an unknown time zone', { timeZone: 'Mars/Olympus' }, 'timeZone must be an IANA time zone, such as Europe/Berlin'],
  ['a credential instead of its hash', { credentialHash: 'secret' }, 'credentialHash must be a SHA-256 in hexadecimal'],
])('refuses %s, in words', async ([, parts, detail]) => {
  const zone = await server.zone()
  const { status, problem } = await enroll(await server.licence(zone.organization), makeEnrollment(zone.id, parts))
  expect([status, problem.detail]).toEqual([400, detail])
})

test('every call of a removed host says that it was removed', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  const remaining = await server.host(zone, 'HOST-02')
  await zone.manager.call('removeHost', { params: { organizationId: zone.organization.id, host: host.hostId } })
  const detail = 'This host was removed from its zone. Enroll it again.'
  const calls = [
    () => host.checkIn([]),
    () => host.call('getDesired'),
    () => host.call('reportOutcomes', { body: { outcomes: [] } }),
    () => host.call('downloadContent', { params: { hash: 'a'.repeat(64) } }),
    () => host.call('streamDesired'),
  ]
  for (const call of calls) expect((await call()).problem).toMatchObject({ status: 401, detail })
  expect((await remaining.call('getDesired')).status).toBe(200)
  const { problem } = await server.call('getDesired', {}, { token: randomUUID() })
  expect(problem).toMatchObject({ status: 401, detail: 'This host is not enrolled.' })
})

test("another organization's host cannot be removed", async () => {
  const [zone, other] = [await server.zone(), await server.zone()]
  const host = await server.host(other)
  const params = { organizationId: zone.organization.id, host: host.hostId }
  expect((await zone.manager.call('removeHost', { params })).status).toBe(404)
  expect((await host.call('getDesired')).status).toBe(200)
})

test('[INP-05] a PC that enrolls again under another name is shown so, with an entry', async () => {
  const zone = await server.zone()
  const number = await server.licence(zone.organization)
  const body = {
    zoneId: zone.id,
    hostName: 'OLD-NAME',
    timeZone: 'America/Chicago',
    agentVersion: '1.0.0',
    credentialHash: 'ab'.repeat(32),
  }
  const enroll = async (hostName: string) => (await server.call('enrollHost', { body: { ...body, hostName } }, { token: number })).status
  expect([await enroll('OLD-NAME'), await enroll('NEW-NAME'), await enroll('NEW-NAME')]).toEqual([200, 200, 200])
  const { body: overviews } = await zone.manager.call('listZoneOverviews', { params: { organizationId: zone.organization.id } })
  expect(overviews[0]!.hosts).toMatchObject([{ name: 'NEW-NAME', timeZone: 'America/Chicago', agentVersion: '1.0.0' }])
  expect(await listChanges(zone.organization.key)).toEqual(['NEW-NAME: its name is NEW-NAME, and was OLD-NAME'])
})

test('[INP-05] at most ten entries of what a host PC says of itself are written in a day, then one that says so', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  for (let round = 0; round < 7; round++)
    for (const timeZone of ['Asia/Tokyo', 'Europe/Berlin']) await host.checkIn([], { timeZone, agentVersion: timeZone })
  const changes = await listChanges(zone.organization.key)
  expect(changes).toHaveLength(11)
  expect(changes[0]).toBe(
    'HOST-01: its time zone is Asia/Tokyo, and was Europe/Berlin; the version of its app is Asia/Tokyo, and was 1.0.0',
  )
  expect(changes[10]).toBe('HOST-01: it changed more than 10 times within a day, and more changes are not listed')
})

async function listChanges(organization: number): Promise<string[]> {
  const rows = await server.app.db
    .selectFrom('audit_entry')
    .select(['host_name', 'new_value'])
    .where('change_type', '=', 'changeHost')
    .where('organization_id', '=', organization)
    .orderBy('in_effect_since')
    .execute()
  return rows.map(({ host_name, new_value }) => `${host_name}: ${new_value}`)
}
