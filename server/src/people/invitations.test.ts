import { randomUUID } from 'node:crypto'
import { customerPermissions } from '@lectern/contract/http/permissions.ts'
import { SignJWT } from 'jose'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { organizationKey, type TestOrganization } from '../testing/makers.ts'
import { serverForFile, type TestServer } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

type Person = Awaited<ReturnType<TestServer['person']>>
const newAddress = () => `${randomUUID()}@guests.example`

async function organizationWithManager() {
  const organization = await server.organization()
  const manager = await server.person({ organization, permissions: customerPermissions })
  const params = { organizationId: organization.id }
  const invite = (email: string, more = {}) =>
    manager.call('createInvitation', { params, body: { email, roleId: 'operator', groupId: organization.groupId, ...more } })
  const list = async (query = {}) => (await manager.call('listInvitations', { params, query })).body
  return { organization, manager, params, invite, list }
}
/** What the link of the last message to an address has, and the group it names. */
async function readLink(email: string) {
  const messages = await db.selectFrom('idp_message').selectAll().where('recipient', '=', email).orderBy('created_at', 'desc').execute()
  const [, group, invitation = ''] = /\/join\/(\d+)\?invitation=(\S+)/.exec(messages[0]?.body ?? '') ?? []
  return { group: Number(group), invitation, message: messages[0] }
}
/** An organization, somebody it has invited, and the secret of the link. */
async function withGuest(options: { isVerified?: boolean } = {}) {
  const home = await organizationWithManager()
  const guest = await server.person({ email: newAddress(), ...options })
  const { invitationId } = (await home.invite(guest.email)).body
  const { invitation } = await readLink(guest.email)
  return { ...home, guest, invitationId, invitation, id: home.organization.groupId }
}
const join = ({ call }: Person, id: number, invitation: string) => call('joinGroup', { params: { id }, body: { invitation } })
const listOrganizationIds = async ({ call }: Person) => (await call('getCurrentUser')).body.organizationId
const countJoins = ({ id }: TestOrganization) =>
  db
    .selectFrom('audit_entry')
    .select(['target', 'initiator_email'])
    .where('organization_id', '=', organizationKey(id))
    .where('change_type', '=', 'joinGroup')
    .execute()
const expire = (email: string) => sql`update invitation set expires_at = now() where email = ${email}`.execute(db)
const refusal = (status: number, detail: string) => ({ status, detail })
const notValid = refusal(400, 'This invitation is not valid. Open the link in the newest mail, or ask whoever sent it for a new one.')

describe('an invitation', () => {
  test('[PPL-05 PPL-03] by e-mail makes its address a member, with the role and in the group that it names', async () => {
    const before = Date.now()
    const { organization, manager, params, invite, list } = await organizationWithManager()
    const { gid } = (await manager.call('createGroup', { body: { name: 'Night shift' } })).body
    const email = newAddress()
    const { status, body } = await invite(email, { groupId: gid })
    expect([status, body]).toEqual([
      200,
      {
        invitationId: expect.any(String),
        email,
        role: { roleId: 'operator', name: 'Operator' },
        group: { gid, name: 'Night shift' },
        invitedBy: manager.email,
        sentAt: null,
        expiresAt: expect.any(String),
        isExpired: false,
        link: expect.stringMatching(new RegExp(`/join/${gid}\\?invitation=\\S{40,}$`)),
      },
    ])
    const days = (Date.parse(body.expiresAt) - before) / 86_400_000
    expect(days).toBeGreaterThan(6.99)
    expect(days).toBeLessThan(7.01)
    const { invitationList, totalCount } = await list()
    // Its secret is in no other answer.
    const { link, ...listed } = body
    expect([totalCount, invitationList]).toEqual([1, [{ ...listed, sentAt: expect.any(String) }]])
    const { group, invitation, message } = await readLink(email)
    expect(link?.endsWith(`/join/${group}?invitation=${invitation}`)).toBe(true)
    expect(message?.subject).toBe(`Invitation to ${organization.name} on Lectern`)
    expect(message?.body).toContain(`${manager.email} (${manager.email}) invites you to ${organization.name} on Lectern, as Operator.`)

    const guest = await server.person({ email: email.toUpperCase() })
    expect((await join(guest, group, invitation)).body).toMatchObject({ gid, users: [{ email: email.toUpperCase() }] })
    const { organizationId, organizations, permissions } = (await guest.call('getCurrentUser')).body
    expect(organizationId).toEqual([organization.id])
    expect(organizations?.[0]?.role?.name).toBe('Operator')
    expect(permissions).toEqual(['manage:cfg', 'manage:firmware', 'manage:cfg-lib'])
    expect((await list()).totalCount).toBe(0)
    expect(await countJoins(organization)).toEqual([{ target: 'Night shift', initiator_email: guest.email }])
    expect((await manager.call('listMembers', { params })).body.totalCount).toBe(2)
  })

  test('[PPL-05] keeps its secret to its link: neither the log nor the record of the invitation has it', async () => {
    const { invitation } = await withGuest()
    expect(server.lines.join('\n')).not.toContain(invitation)
    const { rows } = await sql<{ row: string }>`select i::text as row from invitation i`.execute(db)
    expect(rows.map(({ row }) => row).join('\n')).not.toContain(invitation)
  })

  test('[PPL-05] works for no other address, verified or not', async () => {
    const { id, invitation, guest, organization } = await withGuest()
    const detail = 'This invitation is for another e-mail address. Sign in with the address that it was sent to.'
    for (const isVerified of [true, false]) {
      const thief = await server.person({ email: `x${guest.email}`, isVerified })
      expect((await join(thief, id, invitation)).problem).toMatchObject(refusal(403, detail))
      expect(await listOrganizationIds(thief)).toEqual([])
    }
    expect(await countJoins(organization)).toEqual([])
    expect((await join(guest, id, invitation)).status).toBe(200)
  })

  test('[PPL-05] works for no account whose address is not verified, until it is', async () => {
    const { id, invitation, guest } = await withGuest({ isVerified: false })
    server.issuer.people.set(guest.subject, { email: guest.email })
    expect((await join(guest, id, invitation)).problem).toMatchObject(
      refusal(403, 'Confirm your e-mail address first, then open the invitation again.'),
    )
    expect(await listOrganizationIds(guest)).toEqual([])
    // The token says that it is not verified, though it is by now.
    const token = await server.issuer.token(guest.subject, { email: guest.email, email_verified: false })
    server.issuer.people.set(guest.subject, { email: guest.email, email_verified: true })
    await sql`update "user" set email_checked_at = now() - interval '6 seconds' where id = ${guest.userId}`.execute(db)
    expect((await server.call('joinGroup', { params: { id }, body: { invitation } }, { token })).status).toBe(200)
  })

  test('[PPL-05] is used once: opened again by the same person it joins nothing, by another account it is refused', async () => {
    const { id, invitation, guest, organization } = await withGuest()
    const answers = await Promise.all(Array.from({ length: 10 }, () => join(guest, id, invitation)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await countJoins(organization)).toHaveLength(1)
    const second = await server.person({ email: guest.email })
    expect((await join(second, id, invitation)).problem).toMatchObject(
      refusal(410, 'This invitation was used. Ask whoever sent it for a new link.'),
    )
    // A stranger with the link reads no name.
    expect((await join(await server.person({ email: newAddress() }), id, invitation)).problem).toMatchObject(
      refusal(410, 'This invitation was used. Ask whoever sent it for a new link.'),
    )
    expect(await listOrganizationIds(second)).toEqual([])
  })

  test('[PPL-05] of two accounts of one address that open it at once, one joins', async () => {
    for (let round = 0; round < 4; round++) {
      const { id, invitation, guest } = await withGuest()
      const second = await server.person({ email: guest.email })
      const answers = await Promise.all([join(guest, id, invitation), join(second, id, invitation)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 410])
    }
  })

  test('[PPL-05 S-07] does not bring back a member who was removed', async () => {
    const { id, invitation, guest, manager, params } = await withGuest()
    await join(guest, id, invitation)
    await manager.call('removeMember', { params: { ...params, memberId: guest.userId } })
    expect((await join(guest, id, invitation)).problem).toMatchObject({ status: 410 })
    expect(await listOrganizationIds(guest)).toEqual([])
  })

  test('[PPL-03] is refused once it is revoked, or has expired', async () => {
    const { id, invitation, guest, manager, params, invitationId, list } = await withGuest()
    expect((await manager.call('revokeInvitation', { params: { ...params, invitationId } })).status).toBe(204)
    expect((await join(guest, id, invitation)).problem).toMatchObject(
      refusal(410, 'This invitation was taken back. Ask whoever sent it for a new link.'),
    )
    expect((await list()).totalCount).toBe(0)
    for (const call of ['revokeInvitation', 'resendInvitation'] as const)
      expect((await manager.call(call, { params: { ...params, invitationId } })).problem).toMatchObject({ status: 404 })
    const late = await withGuest()
    await expire(late.guest.email)
    expect((await join(late.guest, late.id, late.invitation)).problem).toMatchObject(
      refusal(410, `This invitation has expired. Ask ${late.manager.email} for a new link.`),
    )
    expect((await late.list()).invitationList[0]).toMatchObject({ isExpired: true })
    expect([await listOrganizationIds(guest), await listOrganizationIds(late.guest)]).toEqual([[], []])
  })

  test('[PPL-03] is sent again with a new link, and for another seven days; the one of before no longer works', async () => {
    const { id, invitation, guest, manager, params, invitationId } = await withGuest()
    await expire(guest.email)
    const { status, body } = await manager.call('resendInvitation', { params: { ...params, invitationId } })
    expect([status, body.isExpired]).toEqual([200, false])
    expect((await join(guest, id, invitation)).problem).toMatchObject(notValid)
    const again = await readLink(guest.email)
    expect(again.invitation).not.toBe(invitation)
    expect((await join(guest, id, again.invitation)).status).toBe(200)
  })

  test('[PPL-05] opens no other group, not even of the same organization, and nothing when it is made up', async () => {
    const { invitation, manager, guest, id } = await withGuest()
    const { body: second } = await manager.call('createGroup', { body: { name: 'Second' } })
    const other = await server.organization()
    for (const group of [second.gid, other.groupId, 2_147_483_647])
      expect((await join(guest, group, invitation)).problem).toMatchObject(notValid)
    for (const forged of [invitation.slice(1), invitation.toUpperCase(), '', 'garbage', guest.token, "' or true --"])
      expect((await join(guest, id, forged)).problem, forged).toMatchObject(notValid)
    expect((await join(guest, id, 'x'.repeat(4_097))).status).toBe(400)
    expect(await listOrganizationIds(guest)).toEqual([])
  })

  test('[PPL-05] of before the upgrade, a signed one, is refused in words', async () => {
    const { guest, id } = await withGuest()
    const signed = await new SignJWT()
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience('invitation')
      .setSubject(String(id))
      .setExpirationTime('7d')
      .sign(Buffer.alloc(32, 'secret'))
    expect((await join(guest, id, signed)).problem).toMatchObject(notValid)
  })

  test('[PPL-05] to an organization that is gone is refused; to a group that is gone it waits to be sent again', async () => {
    const gone = await withGuest()
    await db.deleteFrom('organization').where('id', '=', gone.organization.key).execute()
    expect((await join(gone.guest, gone.id, gone.invitation)).problem).toMatchObject(notValid)
    const { guest, id, invitation, manager, params, invitationId, list } = await withGuest()
    const { body: second } = await manager.call('createGroup', { body: { name: 'Second' } })
    const staff = await server.person({ permissions: ['global:access:organizations'] })
    await staff.call('deleteGroup', { params: { id }, body: { replacementGroupId: second.gid } })
    expect((await join(guest, id, invitation)).problem).toMatchObject(notValid)
    expect((await list()).invitationList[0]).toMatchObject({ group: { gid: second.gid }, sentAt: null })
    await manager.call('resendInvitation', { params: { ...params, invitationId } })
    const again = await readLink(guest.email)
    expect((await join(guest, again.group, again.invitation)).body).toMatchObject({ gid: second.gid })
  })

  test("the vendor's staff join no customer", async () => {
    const { organization, invite } = await organizationWithManager()
    const staff = await server.person({ permissions: ['global:access:organizations'] })
    await invite(staff.email)
    const { invitation } = await readLink(staff.email)
    expect((await join(staff, organization.groupId, invitation)).problem).toMatchObject({ status: 409 })
    expect(await listOrganizationIds(staff)).toEqual([])
  })

  test('[PPL-02] to a second organization makes that one active, and takes the first from nobody', async () => {
    const { id, invitation, guest, organization } = await withGuest()
    const home = await server.organization()
    await server.join(guest.userId, home, ['access:audit_log'])
    expect((await join(guest, id, invitation)).status).toBe(200)
    const { organizationId, permissions } = (await guest.call('getCurrentUser')).body
    expect([organizationId, permissions]).toEqual([
      [organization.id, home.id],
      ['manage:cfg', 'manage:firmware', 'manage:cfg-lib'],
    ])
  })

  test('an invitation opened while an organization is set up: both, or the invitation alone', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, invitation, guest, organization } = await withGuest()
      const companyName = `Company of ${organization.id}`
      const answers = await Promise.all([join(guest, id, invitation), guest.call('registerOrganization', { query: { companyName } })])
      expect(answers[0]!.status).toBe(200)
      expect([200, 409]).toContain(answers[1]!.status)
      expect(await listOrganizationIds(guest)).toHaveLength(answers[1]!.status === 200 ? 2 : 1)
    }
  })
})
