import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { serverForFile } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'
import { sweepExpired } from '../database/sweep.ts'

const server = await serverForFile()
const { db } = server.app

type Zone = Awaited<ReturnType<typeof server.zone>>
const cfg = '<cfg>1</cfg>'

const publish = (zone: Zone, key: string, { call = zone.manager.call, body = { cfg } as unknown, device = 'CR2700' } = {}) =>
  call('publishCfg', { params: { organizationId: zone.organization.id, location: zone.id, device }, body }, { 'idempotency-key': key })
const upload = (zone: Zone, key: string, text: string, name = 'rules.js') => {
  const params = { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' }
  return zone.manager.call(
    'publishCodeRules',
    { params, file: new File([`rules_onDecode = (d) => d // ${text}`], name) },
    { 'idempotency-key': key },
  )
}
const revisions = async ({ key }: Zone) =>
  (await db.selectFrom('publication').select('revision').where('zone_id', '=', key).orderBy('revision').execute()).map(
    ({ revision }) => revision,
  )

test('[PUB-10] same key and body: the first answer again, and nothing is written twice', async () => {
  const zone = await server.zone()
  const key = randomUUID()
  const first = await publish(zone, key)
  await publish(zone, randomUUID(), { body: { cfg: '<cfg>newer</cfg>' } })
  const again = await publish(zone, key)
  expect([again.status, again.text]).toEqual([200, first.text])
  expect(await revisions(zone)).toEqual([1, 2])
})

test('[PUB-10] same key, another body or another address: refused in words', async () => {
  const zone = await server.zone()
  const key = randomUUID()
  await publish(zone, key)
  const refusal = { status: 422, detail: 'This Idempotency-Key was used for another request.' }
  expect((await publish(zone, key, { body: { cfg, updateTime: '03:00' } })).problem).toMatchObject(refusal)
  expect((await publish(zone, key, { device: 'CR1500' })).problem).toMatchObject(refusal)
  const params = { organizationId: zone.organization.id, location: 'Another zone' }
  expect((await zone.manager.call('createZone', { params }, { 'idempotency-key': key })).problem).toMatchObject(refusal)
  expect(await revisions(zone)).toEqual([1])
})

test('[PUB-10] an upload is the same request if its fields, name and content are', async () => {
  const zone = await server.zone()
  const key = randomUUID()
  const first = await upload(zone, key, 'one()')
  // Each multipart body has a boundary of its own, so the bytes sent differ.
  expect((await upload(zone, key, 'one()')).text).toBe(first.text)
  expect((await upload(zone, key, 'two()')).status).toBe(422)
  expect((await upload(zone, key, 'one()', 'other.js')).status).toBe(422)
  expect(await revisions(zone)).toEqual([1])
})

test('[PUB-10] while the first is running: 409, and afterwards its answer', async () => {
  const zone = await server.zone()
  const key = randomUUID()
  const transaction = await db.startTransaction().execute()
  await transaction.selectFrom('zone').select('id').where('id', '=', zone.key).forUpdate().execute()
  const first = publish(zone, key)
  await until(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
    return rows.length === 1
  })
  const second = await publish(zone, key)
  expect(second.problem).toMatchObject({ status: 409, detail: 'The same request is still in progress. Try again in a moment.' })
  await transaction.rollback().execute()
  expect((await first).status).toBe(200)
  expect((await publish(zone, key)).text).toBe((await first).text)
  expect(await revisions(zone)).toEqual([1])
})

test('[PUB-10] ten at once with one key: written once', async () => {
  const zone = await server.zone()
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 10 }, () => publish(zone, key)))
  for (const { status } of answers) expect([200, 409]).toContain(status)
  expect(answers.some(({ status }) => status === 200)).toBe(true)
  expect(await revisions(zone)).toEqual([1])
})

test("[PUB-10] a key is its caller's: a colleague may use the same", async () => {
  const zone = await server.zone()
  const colleague = await server.person({ organization: zone.organization, permissions: ['manage:cfg'] })
  const key = randomUUID()
  await publish(zone, key)
  const theirs = await publish(zone, key, { call: colleague.call, body: { cfg: '<cfg>theirs</cfg>' } })
  expect(theirs.status).toBe(200)
  expect(await revisions(zone)).toEqual([1, 2])
})

test("[RLS-02] a key is its organization's: with the same in another one the call is made there", async () => {
  const [first, second] = [await server.organization(), await server.organization()]
  const person = await server.person({ organization: first, permissions: ['manage:people'] })
  await server.join(person.userId, second, ['manage:people'])
  const key = randomUUID()
  const create = ({ id }: typeof first, name = 'Night shift') =>
    person.call('createGroup', { body: { name } }, { 'idempotency-key': key, 'lectern-organization': id })
  const [here, there] = [await create(first), await create(second)]
  expect([here.status, there.status, there.body.gid === here.body.gid]).toEqual([200, 200, false])
  expect([(await create(first)).text, (await create(second)).text]).toEqual([here.text, there.text])
  expect((await create(second, 'Day shift')).status).toBe(422)
  const { rows } = await sql<{ organization_id: number }>`select organization_id from idempotency_key where key = ${key}`.execute(db)
  expect(rows.map((row) => row.organization_id).sort()).toEqual([first.key, second.key].sort())
})

test('[MAY-06] a repeated key is answered by the rights of now: whose zones were narrowed reads nothing of the others', async () => {
  const zone = await server.zone('Ward 3')
  const other = await server.zone('Ward 4', zone.organization)
  const params = { organizationId: zone.organization.id }
  const member = await server.limitedPerson(zone.organization, [zone, other], ['manage:firmware'])
  const key = { 'idempotency-key': randomUUID() }
  const tag = () => member.call('tagZones', { params, body: { zones: [zone.id], add: ['Night'] } }, key)
  const first = await tag()
  expect([first.status, (await tag()).status]).toEqual([204, 204])
  const role = { name: member.roleId, permissions: ['manage:firmware'], zones: [other.id], tags: [] }
  expect((await member.manager.call('updateRole', { params: { ...params, roleId: member.roleId }, body: role })).status).toBe(200)
  expect((await tag()).problem).toMatchObject({
    status: 403,
    detail: 'This was done, but since then your role permits less. Look at what was done before you repeat it.',
  })
  // Who may do more than then gets the first reply.
  await member.manager.call('updateRole', { params: { ...params, roleId: member.roleId }, body: { ...role, zones: null } })
  expect((await tag()).status).toBe(204)
})

test('who has no organization yet gets their first answer again, also once the call has given them one', async () => {
  const organization = await server.organization()
  const manager = await server.person({ organization, permissions: ['manage:people'] })
  const guest = await server.person()
  const phone = { workPhoneNumber: '+1 803 555 0100', countryCode: 'US' }
  const names = (firstName: string) => ({ firstName, lastName: 'Guest', workEmail: guest.email, ...phone })
  const registered = { 'idempotency-key': randomUUID() }
  expect((await guest.call('registerUser', { body: names('One') }, registered)).status).toBe(200)
  expect((await guest.call('registerUser', { body: names('One') }, registered)).status).toBe(200)
  expect((await guest.call('registerUser', { body: names('Two') }, registered)).status).toBe(422)
  const params = { organizationId: organization.id }
  const body = { email: guest.email, roleId: 'viewer', groupId: organization.groupId }
  const { link } = (await manager.call('createInvitation', { params, body })).body
  const invitation = /invitation=(\S+)/.exec(link ?? '')![1]!
  const joined = { 'idempotency-key': randomUUID() }
  const join = (secret: string) => guest.call('joinGroup', { params: { id: organization.groupId }, body: { invitation: secret } }, joined)
  const first = await join(invitation)
  expect([first.status, (await join('another')).status]).toEqual([200, 422])
  expect((await join(invitation)).text).toBe(first.text)
})

test('[PUB-10] a failure keeps nothing: the same key may be sent again', async () => {
  const zone = await server.zone()
  const key = randomUUID()
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(db)
  await sql`create trigger refuse before insert on event for each row execute function refuse()`.execute(db)
  expect((await publish(zone, key)).status).toBe(500)
  await sql`drop function refuse cascade`.execute(db)
  expect((await publish(zone, key)).body.message).toContain('revision 1')
})

test('[PUB-10] the reply is stored together with the write, or neither is', async () => {
  const zone = await server.zone()
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(db)
  await sql`create trigger refuse before insert on idempotency_key for each row execute function refuse()`.execute(db)
  expect((await publish(zone, randomUUID())).status).toBe(500)
  await sql`drop function refuse cascade`.execute(db)
  expect(await revisions(zone)).toEqual([])
})

test('a reply is stored for 24 hours, swept or not', async () => {
  const zone = await server.zone()
  const key = randomUUID()
  const age = (interval: string) =>
    sql`update idempotency_key set created_at = now() - ${interval}::interval where key = ${key}`.execute(db)
  await publish(zone, key)
  await age('23 hours 59 minutes')
  await sweepExpired(db)
  expect((await publish(zone, key)).body.message).toContain('revision 1')
  await age('24 hours 1 minute')
  expect((await publish(zone, key)).body.message).toContain('revision 2')
  expect((await publish(zone, key)).body.message).toContain('revision 2')
  await age('24 hours 1 minute')
  await sweepExpired(db)
  expect(await db.selectFrom('idempotency_key').select('key').where('key', '=', key).execute()).toEqual([])
})

test.for(['', ' ', 'ä', 'x'.repeat(201)])('refuses the key %j in words', async (key) => {
  const zone = await server.zone()
  const { hostname, port } = new URL(server.url)
  const { request } = await import('node:http')
  const path = `/api/codedm/organization/${zone.organization.id}/location/New`
  const headers = { authorization: `Bearer ${zone.manager.token}`, 'idempotency-key': Buffer.from(key).toString('latin1') }
  const status = await new Promise((resolve, reject) => {
    const call = request({ hostname, port, path, method: 'POST', headers }, (response) => resolve(response.resume().statusCode))
    call.on('error', reject).end()
  })
  expect(status).toBe(400)
})
