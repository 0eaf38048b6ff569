import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { customerPermissions } from '@lectern/contract/http/permissions.ts'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { uuidv7 } from 'uuidv7'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serverForFile, startServer, type TestServer } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

const newAddress = () => `${randomUUID()}@guests.example`
const expire = (email: string) => sql`update invitation set expires_at = now() where email = ${email}`.execute(db)
const refusal = (status: number, detail: string) => ({ status, detail })

async function organizationWithManager(at: TestServer = server) {
  const organization = await at.organization()
  const manager = await at.person({ organization, permissions: customerPermissions })
  const params = { organizationId: organization.id }
  const invite = (email: string, more = {}) =>
    manager.call('createInvitation', { params, body: { email, roleId: 'operator', groupId: organization.groupId, ...more } })
  const list = async (query = {}) => (await manager.call('listInvitations', { params, query })).body
  return { organization, manager, params, invite, list }
}

describe('inviting', () => {
  test('[S-03] a member without permissions gains none by a second account', async () => {
    const { organization, params } = await organizationWithManager()
    const member = await server.person({ organization })
    const body = { email: 'second@people.example', roleId: 'operator', groupId: organization.groupId }
    expect((await member.call('createInvitation', { params, body })).problem).toMatchObject(
      refusal(403, 'This needs the permission “Manage people”.'),
    )
    // With all permissions of an organization in its token, as a provider or DEFAULT_PERMISSIONS may give them.
    const token = await server.issuer.token(randomUUID(), {
      permissions: [...customerPermissions],
      email: body.email,
      email_verified: true,
    })
    expect((await server.call('joinGroup', { params: { id: organization.groupId } }, { token })).status).toBe(404)
    expect((await server.call('listZones', { params }, { token })).status).toBe(404)
  })

  test('[PPL-03] an address twice, or a member, is refused with a sentence at the field', async () => {
    const { manager, invite } = await organizationWithManager()
    const email = newAddress()
    await invite(email)
    // As it was typed, with its domain as people read it.
    const shown = email.toUpperCase().replace('@GUESTS.EXAMPLE', '@guests.example')
    expect((await invite(email.toUpperCase())).problem).toMatchObject({
      ...refusal(409, `${shown} is invited already. Send that invitation again.`),
      errors: [{ field: 'email' }],
    })
    expect((await invite(manager.email)).problem).toMatchObject(refusal(409, `${manager.email} is a member already.`))
    await expire(email)
    expect((await invite(email)).status).toBe(200)
  })

  test('[PPL-03] ten times at once, with one key or with ten, invites once and sends one message', async () => {
    for (const keyOf of [() => 'same', randomUUID]) {
      const { organization, manager, params, list } = await organizationWithManager()
      const email = newAddress()
      const body = { email, roleId: 'viewer', groupId: organization.groupId }
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => manager.call('createInvitation', { params, body }, { 'idempotency-key': keyOf() })),
      )
      for (const { status } of answers) expect([200, 409]).toContain(status)
      expect((await list()).totalCount).toBe(1)
      expect(await db.selectFrom('idp_message').select('id').where('recipient', '=', email).execute()).toHaveLength(1)
    }
  })

  test('an address is sent at most three an hour, by whatever organizations and however many at once', async () => {
    const homes = await Promise.all(Array.from({ length: 5 }, () => organizationWithManager()))
    const email = newAddress()
    const answers = await Promise.all(homes.map(({ invite }, turn) => invite(turn % 2 === 0 ? email : email.toUpperCase())))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429])
    const refused = homes[answers.findIndex(({ status }) => status === 429)]!
    const sender = homes[answers.findIndex(({ status }) => status === 200)]!
    const { invitationId } = (await sender.list()).invitationList[0]!
    const resend = () => sender.manager.call('resendInvitation', { params: { ...sender.params, invitationId } })
    const { status, problem, headers } = await resend()
    expect([status, problem.detail]).toEqual([429, 'An address is sent at most 3 invitations an hour. Try again in 60 minutes.'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500)
    expect((await refused.list()).totalCount).toBe(0)
    const messages = () => db.selectFrom('idp_message').select('id').where(sql`lower(recipient)`, '=', email).execute()
    expect(await messages()).toHaveLength(3)
    expect((await refused.invite(newAddress())).status).toBe(200)
    await db.updateTable('idp_attempt').set({ ends_at: new Date() }).execute()
    expect([(await resend()).status, (await refused.invite(email)).status]).toEqual([200, 200])
    expect(await messages()).toHaveLength(5)
  })

  test('an organization sends at most 200 a day', async () => {
    await db.deleteFrom('idp_attempt').execute()
    const { invite, list } = await organizationWithManager()
    const inTwoHours = new Date(Date.now() + 7_200_000)
    expect((await invite(newAddress())).status).toBe(200)
    await db.updateTable('idp_attempt').set({ amount: 198 }).where('ends_at', '>', inTwoHours).execute()
    const answers = await Promise.all(Array.from({ length: 4 }, () => invite(newAddress())))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429])
    const { problem, headers } = answers.find(({ status }) => status === 429)!
    expect(problem.detail).toBe('An organization sends at most 200 invitations a day. Try again in 24 hours.')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(86_300)
    expect((await list()).totalCount).toBe(3)
    expect((await (await organizationWithManager()).invite(newAddress())).status).toBe(200)
    await db.updateTable('idp_attempt').set({ ends_at: new Date() }).execute()
    expect((await invite(newAddress())).status).toBe(200)
  })

  test.for([
    [{ email: 'nobody' }, 'email must be an e-mail address'],
    [{ email: 'a@b.example\r\nBcc: all@b.example' }, 'email must be an e-mail address'],
    [{ email: `${'x'.repeat(320)}@b.example` }, 'email must be an e-mail address'],
    [{ roleId: 'admin' }, 'There is no such role.'],
    [{ roleId: uuidv7() }, 'There is no such role.'],
    [{ groupId: 2_147_483_647 }, 'There is no such group.'],
    [{ groupId: 0 }, 'groupId must be a group'],
  ])('refuses %j', async ([more, detail]) => {
    const { invite, list } = await organizationWithManager()
    const { status, problem } = await invite(newAddress(), more as object)
    expect([status, problem.detail?.toLowerCase()]).toEqual([400, (detail as string).toLowerCase()])
    expect((await list()).totalCount).toBe(0)
  })

  test('[PPL-03] open invitations are listed by page, the newest first, and found by address, role or group', async () => {
    const { invite, list } = await organizationWithManager()
    for (const name of ['one', 'two', 'three']) await invite(`${name}@guests.example`, name === 'two' ? { roleId: 'auditor' } : {})
    const emails = async (query: object) => (await list(query)).invitationList.map(({ email }) => email.split('@')[0])
    expect(await emails({ PageSize: 2 })).toEqual(['three', 'two'])
    expect(await emails({ PageSize: 2, PageNumber: 1 })).toEqual(['one'])
    expect(await emails({ textFilter: 'AUDITOR' })).toEqual(['two'])
    expect(await emails({ textFilter: 'thr guests' })).toEqual(['three'])
  })
})

describe('with a mail server', () => {
  /** Real, and takes or refuses what it gets. */
  async function mailServer(refuse = false) {
    const received: { to: string[]; text: string }[] = []
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, done) => done(refuse ? new Error('No such mailbox here') : null),
      onData(stream, session, done) {
        let text = ''
        stream.on('data', (chunk) => (text += chunk))
        stream.on('end', () => {
          received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
          done()
        })
      },
    })
    smtp.listen(0, '127.0.0.1')
    await once(smtp.server, 'listening')
    onTestFinished(() => new Promise((resolve) => smtp.close(() => resolve())))
    const portal = await startServer({ environment: { SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}` } })
    onTestFinished(portal.stop)
    return { portal, received }
  }

  test('[PPL-03] the invitation is a message that its address gets, and its link works', async () => {
    const { portal, received } = await mailServer()
    const { invite, list } = await organizationWithManager(portal)
    const guest = await portal.person()
    expect((await invite(guest.email)).body.link).toBeNull()
    expect(received.map(({ to }) => to)).toEqual([[guest.email]])
    const text = received[0]!.text.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    const [, id, invitation = ''] = /\/join\/(\d+)\?invitation=([\w-]+)/.exec(text) ?? []
    expect((await list()).invitationList[0]?.sentAt).not.toBeNull()
    expect((await guest.call('joinGroup', { params: { id }, body: { invitation } })).status).toBe(200)
    expect(await portal.app.db.selectFrom('idp_message').select('id').execute()).toEqual([])
  })

  test('[PPL-03] a server that refuses it leaves the invitation unsent, and the message with the operator', async () => {
    const { portal, received } = await mailServer(true)
    const { invite, list } = await organizationWithManager(portal)
    expect((await invite('guest@people.example')).status).toBe(200)
    expect((await list()).invitationList).toMatchObject([{ email: 'guest@people.example', sentAt: null }])
    expect(received).toEqual([])
    expect(await portal.app.db.selectFrom('idp_message').select('recipient').execute()).toEqual([{ recipient: 'guest@people.example' }])
    expect(portal.lines.some((line) => line.includes('The mail server did not take a message'))).toBe(true)
  })
})
