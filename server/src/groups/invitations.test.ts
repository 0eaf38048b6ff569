import { randomBytes } from 'node:crypto'
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { organizationKey } from '../testing/makers.ts'
import { serverForFile, startServer } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

/** An organization with a member, and an invitation of theirs. */
async function organizationWithManager() {
  const organization = await server.organization()
  const member = await server.person({ organization })
  const id = organization.groupId
  const { body } = await member.call('inviteToGroup', { params: { id } })
  return { organization, member, id, ...body }
}
type Person = Awaited<ReturnType<typeof server.person>>

const join = ({ call }: Person, id: number, invitation?: string) =>
  call('joinGroup', { params: { id }, body: invitation === undefined ? {} : { invitation } })
const listOrganizationIds = async ({ call }: Person) => (await call('getCurrentUser')).body.organizationId
const countJoins = (organizationId: string) =>
  db
    .selectFrom('audit_entry')
    .select(['target', 'initiator_email'])
    .where('organization_id', '=', organizationKey(organizationId))
    .where('change_type', '=', 'joinGroup')
    .execute()
const seconds = (time: number) => Math.floor(time / 1000)

/** Signs what a forger, or time, would have. */
async function sign(claims: JWTPayload, key?: Uint8Array): Promise<string> {
  const { secret } = await db.selectFrom('signing_secret').select('secret').where('purpose', '=', 'invitation').executeTakeFirstOrThrow()
  return new SignJWT({ aud: 'invitation', exp: seconds(Date.now()) + 3600, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(key ?? secret)
}

const notGenuine = {
  status: 400,
  detail: 'This invitation is not valid. Ask your colleague for a new link.',
}

test('[REG-20 API-GRP-07] an invitation, valid for seven days, makes the person who opens it a member of the group', async () => {
  const before = Date.now()
  const { organization, id, invitation, expiresAt } = await organizationWithManager()
  const days = (new Date(expiresAt).getTime() - before) / 86_400_000
  expect(days).toBeGreaterThan(6.99)
  expect(days).toBeLessThan(7.01)
  const guest = await server.person()
  const { status, body } = await join(guest, id, invitation)
  expect(status).toBe(200)
  expect(body).toMatchObject({ gid: id, users: [expect.anything(), { email: guest.email }] })
  expect((await guest.call('getCurrentUser')).body).toMatchObject({ organizationId: [organization.id], group: { gid: id } })
  expect((await guest.call('listRegistrationTasks')).body).not.toContain('OrganizationSetup')
  expect(await countJoins(organization.id)).toEqual([{ target: `${organization.name} Products`, initiator_email: guest.email }])
})

test('[REG-20 API-GRP-07] opened twice, or ten times at once, it joins once', async () => {
  const { organization, id, invitation, member } = await organizationWithManager()
  const guest = await server.person()
  const answers = await Promise.all(Array.from({ length: 10 }, () => join(guest, id, invitation)))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect((await join(guest, id, invitation)).status).toBe(200)
  expect((await join(member, id, invitation)).status).toBe(200)
  expect((await member.call('getGroup', { params: { id } })).body.users).toHaveLength(2)
  expect(await countJoins(organization.id)).toHaveLength(1)
})

test('[REG-20] it can be opened by many', async () => {
  const { id, invitation, member } = await organizationWithManager()
  const guests = await Promise.all(Array.from({ length: 8 }, () => server.person()))
  const answers = await Promise.all(guests.map((guest) => join(guest, id, invitation)))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect((await member.call('getGroup', { params: { id } })).body.users).toHaveLength(9)
})

test('[REG-20] an expired one is refused as expired', async () => {
  const { id } = await organizationWithManager()
  const guest = await server.person()
  const old = await sign({ sub: String(id), exp: seconds(Date.now()) - 1 })
  expect((await join(guest, id, old)).problem).toMatchObject({
    status: 410,
    detail: 'This invitation has expired. Ask your colleague for a new link.',
  })
  expect(await listOrganizationIds(guest)).toEqual([])
  expect((await join(guest, id, await sign({ sub: String(id) }))).status).toBe(200)
})

test('[REG-20] one that was not signed here is refused', async () => {
  const { id, invitation } = await organizationWithManager()
  const guest = await server.person()
  const sub = String(id)
  const claims = { aud: 'invitation', sub, exp: seconds(Date.now()) + 3600 }
  const [header, payload, signature] = invitation.split('.') as [string, string, string]
  const changed = Buffer.from(JSON.stringify({ ...claims, sub: String(id + 1) })).toString('base64url')
  const forgeries = {
    'of another key': await sign({ sub }, randomBytes(32)),
    unsigned: new UnsecuredJWT(claims).encode(),
    'for something else': await sign({ sub, aud: 'something' }),
    'without an end, of another key': `${header}.${Buffer.from(JSON.stringify({ sub, aud: 'invitation' })).toString('base64url')}.${signature}`,
    'for another group by changing it': `${header}.${changed}.${signature}`,
    'cut short': invitation.slice(0, -5),
    'without its signature': `${header}.${payload}.`,
    'an access token': guest.token,
    empty: '',
    garbage: 'garbage',
    dots: '....',
    'NUL and half a character': '\0.\ud800.x',
  }
  for (const [kind, forged] of Object.entries(forgeries)) expect((await join(guest, id, forged)).problem, kind).toMatchObject(notGenuine)
  expect((await join(guest, id, 'x'.repeat(4_097))).status).toBe(400)
  expect((await join(guest, id, 'x'.repeat(60_000))).status).toBe(400)
  expect((await join(guest, id, 'x'.repeat(1_000_000))).status).toBe(413)
  expect(await listOrganizationIds(guest)).toEqual([])
})

test('[REG-20] it opens no other group, not even of the same organization', async () => {
  const { invitation, member } = await organizationWithManager()
  const { body: second } = await member.call('createGroup', { body: { name: 'Second' } })
  const other = await organizationWithManager()
  const guest = await server.person()
  for (const group of [second.gid, other.id, 2_147_483_647])
    expect((await join(guest, group, invitation)).problem).toMatchObject(notGenuine)
  expect(await listOrganizationIds(guest)).toEqual([])
})

test('[REG-20] one of a deleted group is refused as gone', async () => {
  const { id, invitation, member } = await organizationWithManager()
  const { body: second } = await member.call('createGroup', { body: { name: 'Second' } })
  const staff = await server.person({ permissions: ['global:access:organizations'] })
  await staff.call('deleteGroup', { params: { id }, body: { replacementGroupId: second.gid } })
  const guest = await server.person()
  expect((await join(guest, id, invitation)).problem).toMatchObject({
    status: 404,
    detail: 'This group no longer exists. Ask your colleague for a new link.',
  })
})

test('a member of another organization stays there and reads its name', async () => {
  const { organization, id, invitation } = await organizationWithManager()
  const home = await server.organization('Home of the guest')
  const guest = await server.person({ organization: home })
  expect((await join(guest, id, invitation)).problem).toMatchObject({
    status: 409,
    detail: 'You already belong to Home of the guest. You can belong to only one organization.',
  })
  await db.updateTable('organization').set({ name: null }).where('id', '=', home.key).execute()
  expect((await join(guest, id, invitation)).problem.detail).toContain('You already belong to another organization.')
  expect(await listOrganizationIds(guest)).toEqual([home.id])
  expect(await countJoins(organization.id)).toEqual([])
})

test('of two invitations to two organizations, opened at once, one joins', async () => {
  for (let round = 0; round < 3; round++) {
    const [one, two] = [await organizationWithManager(), await organizationWithManager()]
    const guest = await server.person()
    const answers = await Promise.all([join(guest, one.id, one.invitation), join(guest, two.id, two.invitation)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await listOrganizationIds(guest)).toHaveLength(1)
  }
})

test('an invitation opened while an organization is set up: one of both', async () => {
  for (let round = 0; round < 3; round++) {
    const { id, invitation, organization } = await organizationWithManager()
    const guest = await server.person({ email: `guest@${organization.id}.example` })
    const companyName = `Company of ${organization.id}`
    const answers = await Promise.all([join(guest, id, invitation), guest.call('registerOrganization', { query: { companyName } })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await listOrganizationIds(guest)).toHaveLength(1)
  }
})

test("the vendor's staff join no customer", async () => {
  const { id, invitation } = await organizationWithManager()
  const staff = await server.person({ permissions: ['global:access:organizations'] })
  expect((await join(staff, id, invitation)).problem).toMatchObject({
    status: 409,
    detail: "The vendor's staff belong to no customer's organization.",
  })
  expect((await join(staff, id)).status).toBe(404)
  expect(await listOrganizationIds(staff)).toEqual([])
})

test('[REG-21] within the own organization no invitation is needed, and one works too', async () => {
  const { id, member } = await organizationWithManager()
  const { body: second } = await member.call('createGroup', { body: { name: 'Second' } })
  expect((await join(member, second.gid)).body).toMatchObject({ gid: second.gid, users: [{ email: member.email }] })
  expect((await member.call('getCurrentUser')).body.group?.gid).toBe(second.gid)
  expect((await member.call('joinGroup', { params: { id } })).status).toBe(200)
  const { body } = await member.call('inviteToGroup', { params: { id: second.gid } })
  expect((await join(member, second.gid, body.invitation)).status).toBe(200)
  const groups = (await member.call('listGroups')).body
  expect(groups.map(({ users }) => users.length)).toEqual([0, 1])
})

test('[REG-21] elsewhere, without an invitation, there is no such group', async () => {
  const { id, organization } = await organizationWithManager()
  const other = await organizationWithManager()
  const noSuchGroup = { status: 404, detail: 'There is no such group.' }
  for (const person of [await server.person(), other.member]) expect((await join(person, id)).problem).toMatchObject(noSuchGroup)
  expect(await countJoins(organization.id)).toEqual([])
})

test('servers on one database accept the invitations of each other, also when both make their first at once', async () => {
  const one = await startServer()
  onTestFinished(one.stop)
  const other = await startServer({ databaseUrl: one.databaseUrl })
  onTestFinished(other.stop)
  const organization = await one.organization()
  const [here, there] = [await one.person({ organization }), await other.person({ organization })]
  const params = { id: organization.groupId }
  const invitations = await Promise.all([here.call('inviteToGroup', { params }), there.call('inviteToGroup', { params })])
  for (const { body } of invitations)
    for (const { person } of [one, other]) expect((await join(await person(), organization.groupId, body.invitation)).status).toBe(200)
})
