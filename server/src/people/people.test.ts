import { randomUUID } from 'node:crypto'
import { customerPermissions } from '@lectern/contract/http/permissions.ts'
import type { MemberColumn } from '@lectern/contract/people/people.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import type { TestOrganization } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const all = customerPermissions

type Person = Awaited<ReturnType<typeof server.person>>

const manager = (organization: TestOrganization) => server.person({ organization, permissions: all })
async function organizationWithManager() {
  const organization = await server.organization()
  return { organization, one: await manager(organization), params: { organizationId: organization.id } }
}
const list = async ({ call }: Person, { id }: TestOrganization, query: Record<string, unknown> = {}) =>
  (await call('listMembers', { params: { organizationId: id }, query })).body
const setRole = ({ call }: Person, { id }: TestOrganization, memberId: string, roleId: string) =>
  call('changeMemberRole', { params: { organizationId: id, memberId }, body: { roleId } })
const remove = ({ call }: Person, { id }: TestOrganization, memberId: string) =>
  call('removeMember', { params: { organizationId: id, memberId } })
const leave = ({ call }: Person, { id }: TestOrganization) => call('leaveOrganization', { params: { organizationId: id } })
const roleOf = async (asker: Person, home: TestOrganization, email: string) =>
  (await list(asker, home, { textFilter: email })).memberList[0]?.role?.name
const permissions = async ({ call }: Person) => (await call('getCurrentUser')).body.permissions

describe('members', () => {
  test('[PPL-03] are listed with name, address, role, group and last activity', async () => {
    const { organization, one } = await organizationWithManager()
    const other = await server.person({ organization, permissions: ['manage:cfg'], email: `z-${randomUUID()}@people.example` })
    await other.call('updateCurrentUser', { body: { firstName: 'Zoe', lastName: 'Adams' } })
    await sql`update member set last_active_at = null where user_id = ${other.userId}`.execute(db)
    const { memberList, totalCount } = await list(one, organization)
    expect(totalCount).toBe(2)
    expect(memberList[1]).toEqual({
      memberId: other.userId,
      firstName: 'Zoe',
      lastName: 'Adams',
      email: other.email,
      role: { roleId: expect.any(String), name: 'manage:cfg' },
      group: { gid: organization.groupId, name: `${organization.name} Products` },
      joinedAt: expect.any(String),
      lastActivityAt: null,
    })
    expect(memberList[0]).toMatchObject({ email: one.email, role: { roleId: 'manager', name: 'Manager' } })
  })

  test('[PPL-03] of 2,000 one page is found by name, address, role or group, in every order', async () => {
    const { organization, one } = await organizationWithManager()
    await sql`with people as (
        insert into "user" (id, issuer, subject, email, first_name, last_name)
        select gen_random_uuid(), ${server.issuer.url}, ${organization.id} || n, 'p' || lpad(n::text, 4, '0') || '@crowd.example', 'Person', lpad(n::text, 4, '0')
        from generate_series(1, 2000) n returning id, last_name::int as n)
      insert into member (organization_id, user_id, group_id, built_in_role, joined_at, last_active_at)
      select ${organization.key}, id, ${organization.groupId}, case when n % 2 = 0 then 'operator' else 'viewer' end,
        now() - n * interval '1 hour', case when n > 1000 then now() - n * interval '1 minute' end from people`.execute(db)
    const page = async (ColumnName: MemberColumn, Direction: string, more = {}) => {
      const { memberList } = await list(one, organization, { ColumnName, Direction, PageSize: 2, ...more })
      return memberList.map(({ lastName, email }) => lastName || email)
    }
    expect((await list(one, organization, { PageSize: 1 })).totalCount).toBe(2_001)
    expect(await page('Name', 'Ascending', { textFilter: 'crowd' })).toEqual(['0001', '0002'])
    expect(await page('Name', 'Ascending', { textFilter: 'crowd', PageNumber: 999 })).toEqual(['1999', '2000'])
    expect(await page('Address', 'Descending', { textFilter: 'person' })).toEqual(['2000', '1999'])
    expect(await page('Role', 'Ascending', { textFilter: 'crowd' })).toEqual(['0002', '0004'])
    expect(await page('Role', 'Descending', { textFilter: 'crowd' })).toEqual(['0001', '0003'])
    expect(await page('Group', 'Ascending', { textFilter: 'crowd' })).toEqual(['0001', '0002'])
    expect(await page('Joined', 'Ascending', { textFilter: 'crowd' })).toEqual(['2000', '1999'])
    expect(await page('LastActivity', 'Ascending', { textFilter: 'crowd' })).toEqual(['2000', '1999'])
    expect(await page('LastActivity', 'Descending', { textFilter: 'crowd' })).toEqual(['1001', '1002'])
    expect((await list(one, organization, { textFilter: 'OPERATOR p0002' })).memberList.map(({ lastName }) => lastName)).toEqual(['0002'])
    expect((await list(one, organization, { textFilter: '%' })).totalCount).toBe(0)
  })

  test('[PPL-03] of another organization are not found', async () => {
    const { organization, one } = await organizationWithManager()
    const away = await organizationWithManager()
    const stranger = await server.person({ organization: away.organization })
    for (const memberId of [stranger.userId, uuidv7()]) {
      const answers = [
        await setRole(one, organization, memberId, 'viewer'),
        await remove(one, organization, memberId),
        await one.call('changeMemberGroup', {
          params: { organizationId: organization.id, memberId },
          body: { groupId: organization.groupId },
        }),
      ]
      for (const { problem } of answers) expect(problem).toMatchObject({ status: 404, detail: 'There is no such member.' })
    }
    expect(await roleOf(away.one, away.organization, stranger.email)).toBe('Viewer')
  })

  test('[PPL-03] a member’s last activity is that of any call, to some minutes', async () => {
    const { organization, one } = await organizationWithManager()
    const other = await server.person({ organization })
    const activity = async () => (await list(one, organization, { textFilter: other.email })).memberList[0]?.lastActivityAt
    const age = (interval: string) =>
      sql`update member set last_active_at = date_trunc('second', now()) - ${interval}::interval where user_id = ${other.userId}`.execute(
        db,
      )
    await age('4 minutes')
    const before = await activity()
    await other.call('listCountries')
    expect(await activity()).toBe(before)
    await age('6 minutes')
    await other.call('listCountries')
    expect(Date.now() - Date.parse((await activity()) ?? '')).toBeLessThan(60_000)
    await age('6 minutes')
    await other.call('listZones', { params: { organizationId: organization.id } })
    expect(Date.now() - Date.parse((await activity()) ?? '')).toBeLessThan(60_000)
  })

  test('move to another group of the organization, and to no other', async () => {
    const { organization, one, params } = await organizationWithManager()
    const other = await server.person({ organization })
    const { gid } = (await one.call('createGroup', { body: { name: 'Second' } })).body
    const move = (groupId: number) => one.call('changeMemberGroup', { params: { ...params, memberId: other.userId }, body: { groupId } })
    expect((await move(gid)).body.group).toEqual({ gid, name: 'Second' })
    expect((await other.call('getCurrentUser')).body.group?.gid).toBe(gid)
    const foreign = await server.organization()
    expect((await move(foreign.groupId)).problem).toMatchObject({ status: 400, detail: 'There is no such group.' })
  })

  test('[PPL-05] join another group only by an invitation, or with manage:people', async () => {
    const { organization, one } = await organizationWithManager()
    const other = await server.person({ organization, permissions: ['manage:firmware'] })
    const { gid } = (await one.call('createGroup', { body: { name: 'Second' } })).body
    expect((await other.call('joinGroup', { params: { id: gid } })).problem).toMatchObject({
      status: 403,
      detail: 'To join another group you need an invitation to it, or the permission “Manage people”.',
    })
    expect((await other.call('joinGroup', { params: { id: organization.groupId } })).status).toBe(200)
    expect((await one.call('joinGroup', { params: { id: gid } })).body).toMatchObject({ gid, users: [{ email: one.email }] })
  })
})

describe('a role', () => {
  test('[PPL-01] decides what a member may do in its organization, from the next call on; the token grants nothing there', async () => {
    const { organization, one, params } = await organizationWithManager()
    const { subject, userId } = await server.person({ organization })
    const token = await server.issuer.token(subject, { permissions: [...all] })
    const create = async (location: string) => (await server.call('createZone', { params: { ...params, location } }, { token })).status
    expect(await create('A')).toBe(403)
    expect((await setRole(one, organization, userId, 'operator')).body.role).toEqual({ roleId: 'operator', name: 'Operator' })
    expect(await create('B')).toBe(200)
    await setRole(one, organization, userId, 'auditor')
    expect(await create('C')).toBe(403)
    expect((await server.call('listAuditEntries', { params, query: { PageSize: 10 } }, { token })).status).toBe(200)
  })

  test('[PPL-01] of one organization permits nothing in another', async () => {
    const [home, away] = [await server.organization(), await server.organization()]
    const person = await server.person({ organization: home, permissions: all })
    await server.join(person.userId, away, [])
    const create = async ({ id }: TestOrganization) =>
      (await person.call('createZone', { params: { organizationId: id, location: 'Zone' } })).status
    expect([await create(home), await create(away)]).toEqual([200, 403])
    expect((await remove(person, away, person.userId)).status).toBe(403)
  })

  test('[PPL-01] of staff counts beside their provider-wide permissions, where they are members', async () => {
    const [home, away] = [await server.organization(), await server.organization()]
    const staff = await server.person({ permissions: ['global:access:organizations', 'manage:firmware'] })
    await server.join(staff.userId, home, [])
    const create = async ({ id }: TestOrganization) =>
      (await staff.call('createZone', { params: { organizationId: id, location: 'Zone' } })).status
    expect([await create(home), await create(away)]).toEqual([403, 200])
    expect((await staff.call('getDirectoryTotals')).status).toBe(200)
    expect(await permissions(staff)).toEqual(['global:access:organizations'])
  })

  test('[PPL-01] whoever registers an organization is its Manager', async () => {
    const founder = await server.person({ email: `founder@${randomUUID()}.example` })
    await founder.call('registerOrganization', { query: { companyName: `Company ${randomUUID()}` } })
    const { organizations, permissions } = (await founder.call('getCurrentUser')).body
    expect(organizations?.[0]?.role).toEqual({ roleId: 'manager', name: 'Manager' })
    expect(permissions).toEqual([...all])
  })

  test('[PPL-03] that does not exist, or is of another organization, is refused', async () => {
    const { organization, one } = await organizationWithManager()
    const away = await organizationWithManager()
    const { roleId } = (await away.one.call('createRole', { params: away.params, body: { name: 'Clerk', permissions: [] } })).body
    for (const unknown of [roleId, uuidv7(), 'admin', '', 'constructor'])
      expect((await setRole(one, organization, one.userId, unknown)).problem).toMatchObject({ status: 400, errors: [{ field: 'roleId' }] })
  })
})

describe('the last Manager', () => {
  const lastOne = (email: string) => ({ status: 409, detail: `${email} is the last Manager. Make another member Manager first.` })

  test('[PPL-03] cannot be demoted or removed, and cannot leave', async () => {
    const { organization, one } = await organizationWithManager()
    await server.person({ organization, permissions: all.filter((permission) => permission !== 'manage:cfg-lib') })
    expect((await setRole(one, organization, one.userId, 'operator')).problem).toMatchObject(lastOne(one.email))
    expect((await remove(one, organization, one.userId)).problem).toMatchObject(lastOne(one.email))
    expect((await leave(one, organization)).problem).toMatchObject(lastOne(one.email))
    expect((await setRole(one, organization, one.userId, 'manager')).status).toBe(200)
    const two = await manager(organization)
    expect((await leave(one, organization)).status).toBe(204)
    expect((await leave(two, organization)).problem).toMatchObject(lastOne(two.email))
  })

  test('[PPL-03] two managers who demote each other at once: one stays', async () => {
    for (let round = 0; round < 6; round++) {
      const { organization, one } = await organizationWithManager()
      const two = await manager(organization)
      const acts = [
        () => setRole(one, organization, two.userId, 'viewer'),
        () => (round % 2 ? remove(two, organization, one.userId) : setRole(two, organization, one.userId, 'viewer')),
      ]
      const answers = await Promise.all(acts.map((act) => act()))
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
      expect(answers.find(({ status }) => status >= 400)?.problem.detail).toMatch(
        /^This needs the permission “Manage people”\.$|^There is no such organization\.$/,
      )
      const left = await db
        .selectFrom('member')
        .select('user_id')
        .where('organization_id', '=', organization.key)
        .where('built_in_role', '=', 'manager')
        .execute()
      expect(left).toHaveLength(1)
    }
  })

  test('[PPL-03] all managers who leave at once: one stays', async () => {
    const { organization, one } = await organizationWithManager()
    const others = await Promise.all(Array.from({ length: 4 }, () => manager(organization)))
    const answers = await Promise.all([one, ...others].map((person) => leave(person, organization)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 204, 204, 409])
  })
})

describe('a member who is removed', () => {
  test('[PPL-03] sees nothing of the organization any more, and is in nobody’s list; the audit log says who did it', async () => {
    const { organization, one, params } = await organizationWithManager()
    const other = await server.person({ organization, permissions: ['manage:cfg', 'manage:firmware'] })
    expect((await other.call('listZones', { params })).status).toBe(200)
    expect((await remove(one, organization, other.userId)).status).toBe(204)
    expect((await other.call('listZones', { params })).problem).toMatchObject({ status: 404, detail: 'There is no such organization.' })
    expect((await other.call('getCurrentUser')).body).toMatchObject({ organizationId: [], permissions: [], group: null })
    expect((await list(one, organization)).totalCount).toBe(1)
    expect((await remove(one, organization, other.userId)).status).toBe(404)
    const { entryList } = (await one.call('listAuditEntries', { params, query: { PageSize: 10 } })).body
    expect(entryList[0]).toMatchObject({ changeType: 'removeMember', target: other.email, initiatorEmail: one.email })
  })

  test('[PPL-05] takes the invitations along that they sent', async () => {
    const { organization, one, params } = await organizationWithManager()
    const two = await manager(organization)
    const invite = (email: string) =>
      two.call('createInvitation', { params, body: { email, roleId: 'viewer', groupId: organization.groupId } })
    await invite('accomplice@people.example')
    const body = { email: 'colleague@people.example', roleId: 'viewer', groupId: organization.groupId }
    await one.call('createInvitation', { params, body })
    await remove(one, organization, two.userId)
    expect((await one.call('listInvitations', { params })).body.invitationList.map(({ email }) => email)).toEqual([body.email])
  })
})

test('[PPL-03 U-36] every member reads who can help: Managers first, then others who manage people', async () => {
  const { organization, one, params } = await organizationWithManager()
  const clerk = await server.person({ organization, permissions: ['manage:people'] })
  const two = await manager(organization)
  await two.call('updateCurrentUser', { body: { firstName: 'Ada', lastName: 'Example' } })
  const viewer = await server.person({ organization })
  expect((await viewer.call('listManagers', { params })).body).toEqual([
    { name: '', email: one.email },
    { name: 'Ada Example', email: two.email },
    { name: '', email: clerk.email },
  ])
})
