import { createHash, randomUUID } from 'node:crypto'
import { compactVerify, createLocalJWKSet } from 'jose'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { statementsDuring } from '../testing/database/statements.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

/** A zone whose organization has a person who manages licences, and a licence with its file. */
async function newLicence(permissions = ['manage:licences', 'manage:firmware', 'access:audit_log'] as const) {
  const zone = await server.zone('ICU')
  const { organization } = zone
  const person = await server.person({ organization, permissions: [...permissions] })
  const params = { organizationId: organization.id }
  const { body: licence } = await person.call('generateLicence', { params, body: { serialNumbers: ['27P0418853'] } })
  const at = { ...params, id: licence.id }
  const enroll = (hostName: string, number = licence.licenseNumber, { id } = zone) => {
    const credential = randomUUID()
    const credentialHash = createHash('sha256').update(credential).digest('hex')
    const body = { zoneId: id, hostName, timeZone: 'UTC', agentVersion: '1.0.0', credentialHash }
    return server.call('enrollHost', { body }, { token: number }).then((answer) => ({ ...answer, credential }))
  }
  const revoke = (removeHosts: boolean, by = person) => by.call('revokeLicence', { params: at, body: { removeHosts } })
  const hosts = async (query = {}) => (await person.call('listLicenceHosts', { params: at, query })).body
  const entries = async (changeType: string) =>
    (await person.call('listAuditEntries', { params, query: { changeType, PageNumber: 0, PageSize: 100 } })).body.entryList
  return { zone, organization, person, params, licence, at, enroll, revoke, hosts, entries, end: `…${licence.licenseNumber.slice(-4)}` }
}

const desiredBy = async (credential: string) => (await server.call('getDesired', {}, { token: credential })).status

test('[PPL-07] after its revocation a licence enrolls nobody, by its number or its file, and is told so by name', async () => {
  const { licence, person, params, at, enroll, revoke, end, zone } = await newLicence()
  const before = await enroll('HOST-01')
  expect(before.status).toBe(200)
  const { status, body } = await revoke(false)
  const revoked = { at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), by: person.email }
  expect([status, body]).toMatchObject([200, { id: licence.id, revoked, activeHosts: 1 }])
  const { payload } = await compactVerify(licence.file!.content, createLocalJWKSet((await server.call('getVendorKeys')).body as never))
  for (const number of [licence.licenseNumber, JSON.parse(new TextDecoder().decode(payload)).licenseNumber]) {
    const { status, problem } = await enroll('HOST-02', number)
    const detail = `The licence ${end} was revoked on ${body.revoked!.at.slice(0, 10)}. Enroll with another one.`
    expect([status, problem.detail]).toEqual([403, detail])
  }
  expect(await desiredBy(before.credential)).toBe(200)
  // It is shown as before, and others enroll as before.
  expect((await person.call('getLicence', { params: at })).body).toMatchObject({ licenseNumber: licence.licenseNumber, revoked })
  expect((await person.call('listLicences', { params })).body.licenses).toMatchObject([{ id: licence.id, revoked }])
  const other = await server.licence(zone.organization)
  expect((await enroll('HOST-03', other)).status).toBe(200)
})

test('[PPL-07] its host PCs are removed with it, all or none: each is refused from then on, and the audit log has each', async () => {
  const { zone, person, organization, licence, enroll, revoke, hosts, entries, end } = await newLicence()
  const ward = await server.zone('Ward', organization)
  const enrolled = [await enroll('HOST-01'), await enroll('HOST-02'), await enroll('HOST-03', licence.licenseNumber, ward)]
  const other = await server.host(zone, 'HOST-04')
  await person.call('removeHost', { params: { organizationId: organization.id, host: enrolled[0]!.body.hostId } })
  const { body } = await revoke(true)
  expect(body.activeHosts).toBe(0)
  expect(await Promise.all(enrolled.map(({ credential }) => desiredBy(credential)))).toEqual([401, 401, 401])
  expect((await other.call('getDesired')).status).toBe(200)
  expect((await hosts()).hosts.map(({ name, zone: at, removedAt }) => [name, at?.name, removedAt !== undefined])).toEqual([
    ['HOST-03', 'Ward', true],
    ['HOST-02', 'ICU', true],
    ['HOST-01', 'ICU', true],
  ])
  expect((await entries('removeHost')).map(({ target, zoneName, user }) => [target, zoneName, user?.email]).sort()).toEqual([
    ['HOST-01', 'ICU', person.email],
    ['HOST-02', 'ICU', person.email],
    ['HOST-03', 'Ward', person.email],
  ])
  expect(await entries('revokeLicence')).toMatchObject([{ target: end, newValue: '2 host PCs', user: { email: person.email } }])
  // Asked again, nothing is left to do.
  expect((await revoke(true)).status).toBe(200)
  expect([(await entries('removeHost')).length, (await entries('revokeLicence')).length]).toEqual([3, 1])
})

test('[PPL-07] host PCs that were left are removed later; a host PC that enrolls at the same moment is refused or removed', async () => {
  const later = await newLicence()
  const host = await later.enroll('HOST-01')
  await later.revoke(false)
  expect((await later.revoke(true)).body).toMatchObject({ activeHosts: 0 })
  expect(await desiredBy(host.credential)).toBe(401)
  for (let round = 0; round < 10; round++) {
    const { enroll, revoke } = await newLicence()
    const [one, , other] = await Promise.all([enroll('HOST-01'), revoke(true), enroll('HOST-02')])
    for (const { status, credential } of [one, other]) {
      expect([200, 403]).toContain(status)
      expect(await desiredBy(credential)).toBe(401)
    }
  }
})

test('[PPL-06 PPL-07] who may not remove host PCs removes none by revoking their licence', async () => {
  const { organization, enroll, revoke } = await newLicence()
  const { credential } = await enroll('HOST-01')
  const clerk = await server.person({ organization, permissions: ['manage:licences'] })
  const { status, problem } = await revoke(true, clerk)
  expect([status, problem.detail]).toEqual([403, 'Removing host PCs needs the permission “Publish firmware, manage zones”.'])
  expect((await enroll('HOST-02')).status).toBe(200)
  expect((await revoke(false, clerk)).status).toBe(200)
  expect(await desiredBy(credential)).toBe(200)
  const stranger = await newLicence()
  expect((await revoke(false, stranger.person)).status).toBe(404)
})

test('[PPL-07] the audit log says with which licence a host PC was enrolled, and who issued that', async () => {
  const { zone, person, enroll, entries, end } = await newLicence()
  await enroll('HOST-01')
  const number = await server.licence(zone.organization)
  await enroll('HOST-02', number)
  expect(await entries('enrolHost')).toMatchObject([
    { target: 'HOST-02', newValue: `…${number.slice(-4)}, issued by the vendor` },
    { target: 'HOST-01', newValue: `${end}, issued by ${person.email}` },
  ])
})

test('[PPL-07] the host PCs of a licence are paged, the newest first; removing thousands takes no statement more', async () => {
  const { zone, organization, licence, hosts, revoke, at, person } = await newLicence()
  await sql`
    insert into host (public_id, organization_id, zone_id, licence_id, name, time_zone, agent_version, enrolled_at)
    select gen_random_uuid(), ${organization.key}, ${zone.key}, ${licence.id}, 'PC-' || n, 'UTC', '1.0.0', timestamptz '2026-01-01' + n * interval '1 minute'
    from generate_series(1, 3000) n`.execute(server.app.db)
  const page = await hosts({ PageNumber: 1, PageSize: 25 })
  expect([page.totalCount, page.pageNumber, page.pageSize, page.hosts.length]).toEqual([3_000, 1, 25, 25])
  expect([page.hosts[0], page.hosts[24]]).toMatchObject([
    { name: 'PC-2975', zone: { id: zone.id, name: 'ICU' }, isOnline: false },
    { name: 'PC-2951' },
  ])
  expect((await hosts({ PageNumber: 120, PageSize: 25 })).hosts).toEqual([])
  const sent = await statementsDuring(() => revoke(true))
  expect(sent.length).toBeLessThan(20)
  expect((await hosts({ PageSize: 100 })).hosts.filter(({ removedAt }) => removedAt === undefined)).toEqual([])
  expect((await person.call('getLicence', { params: at })).body.activeHosts).toBe(0)
})
