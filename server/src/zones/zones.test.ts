import { request } from 'node:http'
import { formatSentence } from '@lectern/contract/audit/audit-sentence.ts'
import { zoneNameLimit } from '@lectern/contract/zones.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { organizationKey, reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

/** A fresh organization with a manager who makes and deletes zones by name and id. */
async function organizationWithManager() {
  const organization = await server.organization()
  const organizationId = organization.id
  const manager = await server.person({ organization, permissions: ['manage:firmware'] })
  return {
    organization,
    manager,
    list: async () => (await manager.call('listLocations', { params: { organizationId } })).body,
    create: (location: string) => manager.call('createZone', { params: { organizationId, location } }),
    remove: (location: string) => manager.call('deleteZone', { params: { organizationId, location } }),
    audit: () =>
      db
        .selectFrom('audit_entry')
        .selectAll()
        .where('organization_id', '=', organizationKey(organizationId))
        .orderBy('in_effect_since')
        .orderBy('id')
        .execute(),
  }
}

test('[API-LOC-01 ENT-25] lists the zones of the organization by name, whatever their case, and no other', async () => {
  const house = await organizationWithManager()
  const other = await organizationWithManager()
  await other.create('Elsewhere')
  for (const name of ['pharmacy', 'ICU', 'Zoo', 'Åland', 'lab']) await house.create(name)
  const zones = await house.list()
  expect(zones.map(({ name }) => name)).toEqual(['ICU', 'lab', 'pharmacy', 'Zoo', 'Åland'])
  for (const zone of zones) expect(zone).toEqual({ id: expect.any(String), name: zone.name, organizationId: house.organization.id })
})

test('[API-LOC-02 ENT-25] creates a zone of the name in the address, and returns its id', async () => {
  const house = await organizationWithManager()
  const { status, body } = await house.create('  ICU 3 North  ')
  expect(status).toBe(200)
  expect(body).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'ICU 3 North', organizationId: house.organization.id })
  expect(await house.list()).toEqual([body])
})

test.for([
  'ICU/3',
  '50 % off?',
  'a&b=c#d',
  'Größe 靑 🏥👩‍⚕️',
  '"; drop table zone; --',
  '<img src=x>',
  '../../etc/passwd',
  '%2F',
  "O'Hara\\",
])('[API-LOC-02] keeps the name %s as it is', async (name) => {
  const house = await organizationWithManager()
  expect((await house.create(name)).body.name).toBe(name)
  expect((await house.list()).map((zone) => zone.name)).toEqual([name])
})

test.for([
  [' ', 'Enter a name for the zone.'],
  ['\t \n', 'Enter a name for the zone.'],
  ['a\0b', 'The name has a character that cannot be stored (NUL).'],
])('[ZON-03] refuses the name %j in words', async ([name, detail]) => {
  const house = await organizationWithManager()
  const { status, problem } = await house.create(name as string)
  expect([status, problem.detail]).toEqual([400, detail])
  expect(await house.list()).toEqual([])
  expect(await house.audit()).toEqual([])
})

/** Sends the address as it is: a client of the contract would refuse to build it. */
async function createRaw(house: Awaited<ReturnType<typeof organizationWithManager>>, name: string) {
  const { hostname, port } = new URL(server.url)
  const path = `/api/codedm/organization/${house.organization.id}/location/${name}`
  return new Promise<{ status?: number; detail: string }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${house.manager.token}` }
    const call = request({ hostname, port, path, method: 'POST', headers }, async (response) => {
      const { detail } = JSON.parse(Buffer.concat(await response.toArray()).toString())
      resolve({ status: response.statusCode, detail })
    })
    call.on('error', reject).end()
  })
}

test('[ZON-03] refuses no name, names that are steps in a path, and half of a character', async () => {
  const house = await organizationWithManager()
  expect(await createRaw(house, '')).toEqual({ status: 400, detail: 'Enter a name for the zone.' })
  expect(await createRaw(house, '.')).toEqual({ status: 400, detail: '"." cannot be used as a name.' })
  expect(await createRaw(house, '%2E%2E')).toEqual({ status: 400, detail: '".." cannot be used as a name.' })
  // A lone surrogate has no UTF-8 form.
  expect((await createRaw(house, '%ED%A0%80')).status).toBe(400)
  expect(await house.list()).toEqual([])
})

test('[ZON-06 ZON-07] a name is cut to the limit of its organization, and never within a character', async () => {
  const house = await organizationWithManager()
  const limit = zoneNameLimit(house.organization.id)
  expect(limit).toBe(1024 - 36 - 2 - 50)
  expect((await house.create('x'.repeat(2_000))).body.name).toBe('x'.repeat(limit))
  expect((await house.create('👩‍⚕️'.repeat(100))).body.name).toBe('👩‍⚕️'.repeat(Math.floor(limit / 13)))
})

test('[ZON-04] refuses a name that is taken: in other letters, with blanks around it, or once it is cut', async () => {
  const house = await organizationWithManager()
  const limit = zoneNameLimit(house.organization.id)
  await house.create('Größe')
  await house.create('y'.repeat(limit))
  for (const name of ['Größe', 'GRÖße', '  größe '])
    expect((await house.create(name)).problem).toMatchObject({ status: 409, detail: `There is already a zone named "${name.trim()}".` })
  expect((await house.create('y'.repeat(limit + 5))).status).toBe(409)
  expect(await house.list()).toHaveLength(2)
  expect((await (await organizationWithManager()).create('Größe')).status).toBe(200)
})

test('[ZON-04] of twenty who create the same name at once, one does', async () => {
  const house = await organizationWithManager()
  const answers = await Promise.all(Array.from({ length: 20 }, () => house.create('Race')))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  expect(await house.audit()).toHaveLength(1)
})

test('[API-LOC-03] deletes a zone by id', async () => {
  const house = await organizationWithManager()
  const { body } = await house.create('Gone')
  const { status, text } = await house.remove(body.id)
  expect([status, text]).toEqual([204, ''])
  expect(await house.list()).toEqual([])
  expect((await house.remove(body.id)).problem).toMatchObject({ status: 404, detail: 'There is no such zone.' })
  expect((await house.create('Gone')).status).toBe(200)
})

test("[API-LOC-03 PER-20] deletes no other organization's zone, and nothing that is no id", async () => {
  const [house, other] = [await organizationWithManager(), await organizationWithManager()]
  const { body } = await other.create('Theirs')
  expect((await house.remove(body.id)).problem).toMatchObject({ status: 404, detail: 'There is no such zone.' })
  expect((await house.remove(uuidv7())).status).toBe(404)
  expect((await house.remove('Theirs')).problem).toMatchObject({ status: 400, detail: 'location must be an id' })
  expect(await other.list()).toEqual([body])
})

test('[ZON-15] a zone with hosts stays, and says which; without them it goes, and its readers stay on the books', async () => {
  const zone = await server.zone('Ward 7')
  const organizationId = zone.organization.id
  const [one, two] = [await server.host(zone, 'HOST-B'), await server.host(zone, 'HOST-A')]
  await one.checkIn([reader('R1')])
  const remove = () => zone.manager.call('deleteZone', { params: { organizationId, location: zone.id } })
  const removeHost = (host: string) => zone.manager.call('removeHost', { params: { organizationId, host } })
  expect((await remove()).problem).toMatchObject({
    status: 409,
    detail: 'The zone "Ward 7" still has the host PCs HOST-A, HOST-B. Remove them first.',
  })
  expect((await removeHost(two.hostId)).status).toBe(204)
  expect((await remove()).problem.detail).toBe('The zone "Ward 7" still has the host PC HOST-B. Remove it first.')
  expect((await removeHost(one.hostId)).status).toBe(204)
  expect((await removeHost(one.hostId)).problem.detail).toBe('There is no such host.')
  expect((await remove()).status).toBe(204)
  const { body } = await zone.manager.call('listDevices', { params: { organizationId } })
  expect(body.deviceList).toMatchObject([{ serialNumber: 'R1', zone: '' }])
  expect(body.deviceList[0]).not.toHaveProperty('host')
})

test('zones are in the audit log: who, from where, what, in the same transaction', async () => {
  const house = await organizationWithManager()
  const created = await house.create('Logged')
  const deleted = await house.remove(created.body.id)
  const common = { initiator_id: house.manager.userId, initiator_email: house.manager.email, address: '127.0.0.1', zone_name: 'Logged' }
  expect(await house.audit()).toMatchObject([
    { ...common, change_type: 'ZoneCreate', target: created.body.id, request_id: created.headers.get('x-request-id') },
    { ...common, change_type: 'ZoneDelete', target: created.body.id, request_id: deleted.headers.get('x-request-id') },
  ])
})

test('what a zone has: readers per model, hosts, and whether they are online', async () => {
  const zone = await server.zone()
  const organizationId = zone.organization.id
  const host = await server.host(zone, 'HOST-01')
  const overview = async () => (await zone.manager.call('listZoneOverviews', { params: { organizationId } })).body
  const [idle] = await overview()
  expect(idle?.hosts).toMatchObject([{ name: 'HOST-01', timeZone: 'Europe/Berlin', lastSeen: null, isOnline: false }])
  await host.checkIn([reader('A'), reader('B'), reader('C', { deviceType: 'A271/2' })])
  expect(await overview()).toEqual([
    {
      zoneId: zone.id,
      readers: [
        { deviceType: 'CR2700', count: 2 },
        { deviceType: 'A271/2', count: 1 },
      ],
      hosts: [
        {
          id: host.hostId,
          name: 'HOST-01',
          timeZone: 'Europe/Berlin',
          agentVersion: '1.0.0',
          lastSeen: expect.stringMatching(/Z$/),
          isOnline: true,
        },
      ],
    },
  ])
  await db
    .updateTable('host')
    .set({ last_seen_at: new Date(Date.now() - 1_801_000) })
    .where('public_id', '=', host.hostId)
    .execute()
  expect((await overview())[0]?.hosts[0]?.isOnline).toBe(false)
})

test('[PFM-7] host PCs are counted by time zone where a screen needs no more, and one zone comes alone', async () => {
  const zone = await server.zone('Ulm')
  const { organization, manager } = zone
  const other = await server.zone('Bonn', organization)
  const [one, , three] = [await server.host(zone, 'HOST-01'), await server.host(zone, 'HOST-02'), await server.host(zone, 'HOST-03')]
  await server.host(other, 'HOST-04')
  await one.checkIn([reader('A')])
  await db.updateTable('host').set({ time_zone: 'America/Chicago', driver: 'simulated' }).where('public_id', '=', three.hostId).execute()
  const ask = async (query: { hosts?: 'counted'; zone?: string }) =>
    (await manager.call('listZoneOverviews', { params: { organizationId: organization.id }, query })).body
  const ulm = {
    zoneId: zone.id,
    readers: [{ deviceType: 'CR2700', count: 1 }],
    hosts: [],
    hostCounts: [
      { timeZone: 'America/Chicago', hosts: 1, online: 0, simulated: true },
      { timeZone: 'Europe/Berlin', hosts: 2, online: 1 },
    ],
  }
  expect(await ask({ hosts: 'counted' })).toEqual([
    ulm,
    { zoneId: other.id, readers: [], hosts: [], hostCounts: [{ timeZone: 'Europe/Berlin', hosts: 1, online: 0 }] },
  ])
  expect(await ask({ hosts: 'counted', zone: zone.id })).toEqual([ulm])
  const [alone, ...rest] = await ask({ zone: other.id })
  expect([alone?.hosts.map(({ name }) => name), rest]).toEqual([['HOST-04'], []])
})

/** A zone whose note its manager sets. */
async function houseWithNote() {
  const house = await organizationWithManager()
  const organizationId = house.organization.id
  const { body: zone } = await house.create('Ward 7')
  const set = (note: string, { call } = house.manager) =>
    call('setZoneNote', { params: { organizationId, location: zone.id }, body: { note } })
  const noteEntries = async () => (await house.audit()).filter(({ change_type }) => change_type === 'setZoneNote')
  return { ...house, zone, set, noteEntries }
}

test('a note is kept with its lines, and the list has it; an empty one is none', async () => {
  const { zone, create, set, list } = await houseWithNote()
  const { body: other } = await create('Ward 8')
  const note = 'Key at the desk.\n\n<b>Ask "Ada"</b> & \'; drop table zone; -- 🏥'
  expect((await set(`  ${note}\n`)).body).toEqual({ ...zone, note })
  expect(await list()).toEqual([{ ...zone, note }, other])
  expect((await set(' \n ')).body).toEqual(zone)
  expect(await list()).toEqual([zone, other])
})

test('a note has 500 characters at most', async () => {
  const { zone, set, list, noteEntries } = await houseWithNote()
  expect((await set('x'.repeat(500))).status).toBe(200)
  expect((await set('y'.repeat(501))).problem).toMatchObject({
    status: 400,
    errors: [{ field: 'note', message: 'must have at most 500 characters' }],
  })
  expect((await set('a\0b')).status).toBe(400)
  expect(await list()).toEqual([{ ...zone, note: 'x'.repeat(500) }])
  expect(await noteEntries()).toHaveLength(1)
})

test('every member reads a note, and only who manages firmware sets it', async () => {
  const { organization, zone, set, noteEntries } = await houseWithNote()
  await set('Key at the desk')
  const member = await server.person({ organization, permissions: ['manage:cfg'] })
  expect((await set('Mine', member)).status).toBe(403)
  const { body } = await member.call('listZones', { params: { organizationId: organization.id } })
  expect(body).toEqual([{ ...zone, note: 'Key at the desk' }])
  expect(await noteEntries()).toHaveLength(1)
})

test("nobody sets the note of another organization's zone, or of none", async () => {
  const [house, other] = [await houseWithNote(), await houseWithNote()]
  const ownParams = { organizationId: house.organization.id, location: other.zone.id }
  const set = (params: { organizationId: string; location: string }) =>
    house.manager.call('setZoneNote', { params, body: { note: 'Mine' } })
  expect((await set(ownParams)).problem).toMatchObject({ status: 404, detail: 'There is no such zone.' })
  expect((await set({ ...ownParams, location: uuidv7() })).problem).toMatchObject({ status: 404, detail: 'There is no such zone.' })
  expect((await set({ organizationId: other.organization.id, location: other.zone.id })).status).toBe(404)
  expect(await other.list()).toEqual([other.zone])
  expect([await house.noteEntries(), await other.noteEntries()]).toEqual([[], []])
})

test('the audit log has each new note once, with who set it, in a sentence', async () => {
  const { organization, manager, zone, set } = await houseWithNote()
  for (const note of ['', 'Key at the desk', ' Key at the desk ', 'Key at the door\n<b>left</b>', '', ' '])
    expect((await set(note)).status).toBe(200)
  const auditor = await server.person({ organization, permissions: ['access:audit_log'] })
  const query = { changeType: 'setZoneNote', PageSize: 25, PageNumber: 0 }
  const { entryList } = (await auditor.call('listAuditEntries', { params: { organizationId: organization.id }, query })).body
  for (const entry of entryList) expect(entry).toMatchObject({ initiatorEmail: manager.email, target: zone.id, zoneName: 'Ward 7' })
  expect(entryList.map((entry) => [entry.newValue, formatSentence({ ...entry, user: { name: 'Ada', email: manager.email } })])).toEqual([
    ['', 'Ada emptied the note of the zone Ward 7'],
    ['Key at the door\n<b>left</b>', 'Ada changed the note of the zone Ward 7 to Key at the door\n<b>left</b>'],
    ['Key at the desk', 'Ada changed the note of the zone Ward 7 to Key at the desk'],
  ])
})

test('[FAI-06] the specified list of zones is whole, the one for screens has 10,000', async () => {
  const { organization, manager } = await server.zone('a')
  await sql`insert into zone (organization_id, public_id, name)
    select ${organizationKey(organization.id)}, gen_random_uuid(), 'b' || n from generate_series(1, 10001) n`.execute(db)
  const params = { organizationId: organization.id }
  const [whole, listed] = [(await manager.call('listLocations', { params })).body, (await manager.call('listZones', { params })).body]
  expect([whole.length, listed.length, whole[0], new Set(whole.map(({ id }) => id)).size]).toEqual([10_002, 10_000, listed[0], 10_002])
})

test('[SCL-01] a zone keeps its name, which servers remember; its note may change', async () => {
  const { organization, create, list } = await organizationWithManager()
  await create('ICU')
  const ofOrganization = db.updateTable('zone').where('organization_id', '=', organization.key)
  await expect(ofOrganization.set({ name: 'Ward' }).execute()).rejects.toThrow('A zone keeps its name.')
  await ofOrganization.set({ note: 'Behind the door' }).execute()
  expect((await list()).map(({ name }) => name)).toEqual(['ICU'])
})
