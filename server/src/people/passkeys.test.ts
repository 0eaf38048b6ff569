import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import type { TestOrganization } from '../testing/makers.ts'
import { knownRequest } from '../testing/scenarios/people-writes.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

async function withPeople() {
  const organization = await server.organization()
  const manager = await server.person({ organization, permissions: ['manage:people'] })
  const member = await server.person({ organization })
  return { organization, manager, member, params: { organizationId: organization.id } }
}

/** Calls of somebody who signed in that way. */
async function signedInBy(subject: string, amr: string[] | undefined) {
  const token = await server.issuer.token(subject, { ...(amr && { amr }) })
  return {
    call: (name: Parameters<typeof server.call>[0], args = {}, headers: Record<string, string> = {}) =>
      server.call(name, args, { token, headers }),
    token,
  }
}

const requirePasskeys = ({ key }: TestOrganization) =>
  db.updateTable('organization').set({ requires_passkeys: true }).where('id', '=', key).execute()

async function addRecovery({ key }: TestOrganization, userId: string, expiresIn = 3_600_000, parts: { browser?: string } = {}) {
  const row = { organization_id: key, id: uuidv7(), user_id: userId, ...knownRequest, ...parts }
  await db
    .insertInto('passkey_recovery')
    .values({ ...row, expires_at: new Date(Date.now() + expiresIn) })
    .execute()
  return row.id
}

test('[SES-05] an organization that requires passkeys refuses every call of a member who signed in without, and says how to step up', async () => {
  const { organization, member, params } = await withPeople()
  await requirePasskeys(organization)
  for (const amr of [undefined, [], ['pwd'], ['pwd', 'mfa'], ['otp']]) {
    const { token, call } = await signedInBy(member.subject, amr)
    const response = await server.fetch(`/api/codedm/organization/${organization.id}/summary`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer error="insufficient_user_authentication", acr_values="phr"',
    ])
    const refused = await call('getCurrentUser')
    expect([refused.status, refused.body]).toMatchObject([401, { detail: 'This organization asks for a sign-in with a passkey.' }])
  }
  for (const amr of [['pop', 'user'], ['hwk'], ['swk'], ['pwd', 'fido']]) {
    const { call } = await signedInBy(member.subject, amr)
    expect((await call('getOrganizationSummary', { params })).status).toBe(200)
    expect((await call('getCurrentUser')).status).toBe(200)
  }
})

test('[SES-05] only the organization that requires them asks for a passkey', async () => {
  const { organization, member } = await withPeople()
  const other = await server.organization()
  await server.join(member.userId, other, [])
  await requirePasskeys(organization)
  const { call } = await signedInBy(member.subject, ['pwd'])
  expect((await call('getOrganizationSummary', { params: { organizationId: other.id } })).status).toBe(200)
  expect((await call('getCurrentUser', {}, { 'lectern-organization': other.id })).status).toBe(200)
  expect((await call('getCurrentUser', {}, { 'lectern-organization': organization.id })).status).toBe(401)
})

test('[SES-05] the registry of readers asks the organization in its path, whichever the header names', async () => {
  const { organization, member } = await withPeople()
  const other = await server.organization()
  await server.join(member.userId, other, ['manage:firmware'])
  await requirePasskeys(organization)
  const { call, token } = await signedInBy(member.subject, ['pwd'])
  const header = { 'lectern-organization': other.id }
  const params = { customerid: organization.id, connectstatus: 'all' }
  const calls = [
    call('listReaders', { params }, header),
    call('listReaders', { params, query: { PageNumber: 0, PageSize: 20 } }, header),
    call('createReader', { params, body: { sn: 'A' } }, header),
    call('createReader', { params, body: { sn: 'A' } }),
  ]
  for (const { status, body } of await Promise.all(calls))
    expect([status, body]).toMatchObject([401, { detail: 'This organization asks for a sign-in with a passkey.' }])
  const { headers } = await server.fetch(`/api/readers/${organization.id}/all`, {
    headers: { authorization: `Bearer ${token}`, ...header },
  })
  expect(headers.get('www-authenticate')).toBe('Bearer error="insufficient_user_authentication", acr_values="phr"')

  const named = { 'lectern-organization': organization.id }
  expect((await call('createReader', { params: { customerid: other.id }, body: { sn: 'B' } }, named)).status).toBe(200)
  const { call: byPasskey } = await signedInBy(member.subject, ['pop'])
  expect((await byPasskey('listReaders', { params }, header)).body).toEqual([])
})

test('[SES-05] a manager requires passkeys once they signed in with one themselves, and it is audited', async () => {
  const { manager, params, organization } = await withPeople()
  const body = { requiresPasskeys: true }
  const refused = await manager.call('setSignInRule', { params, body })
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { detail: 'Sign in with a passkey yourself first. Then you can require them of everybody.' },
  ])
  expect((await manager.call('getSignInRule', { params })).body).toEqual({ requiresPasskeys: false })
  const { call } = await signedInBy(manager.subject, ['pop'])
  expect((await call('setSignInRule', { params, body })).status).toBe(200)
  expect((await manager.call('getSignInRule', { params })).status).toBe(401)
  expect((await call('getSignInRule', { params })).body).toEqual({ requiresPasskeys: true })
  await call('setSignInRule', { params, body })
  const entries = await db
    .selectFrom('audit_entry')
    .select('new_value')
    .where('organization_id', '=', organization.key)
    .where('change_type', '=', 'setSignInRule')
    .execute()
  expect(entries).toEqual([{ new_value: 'true' }])
})

test('[SES-05] a recovery is confirmed by another manager, not by its person, nor by who may do less', async () => {
  const { organization, manager, member, params } = await withPeople()
  const boss = await server.person({ organization, permissions: ['manage:people', 'manage:cfg'] })
  const [own, ofMember, ofBoss] = [
    await addRecovery(organization, manager.userId),
    await addRecovery(organization, member.userId),
    await addRecovery(organization, boss.userId),
  ]
  const { body: list } = await manager.call('listRecoveries', { params })
  expect(Array.isArray(list) && list.map(({ recoveryId, email, isOwn }) => [recoveryId, email, isOwn])).toEqual([
    [own, manager.email, true],
    [ofMember, member.email, false],
    [ofBoss, boss.email, false],
  ])
  const confirm = async (recoveryId: string) => {
    const { status, body } = await manager.call('confirmRecovery', { params: { ...params, recoveryId }, body: { code: '123456' } })
    return [status, 'detail' in body ? body.detail : (body as { isConfirmed: boolean }).isConfirmed]
  }
  expect(await confirm(own)).toEqual([403, 'Another manager must confirm your recovery.'])
  expect(await confirm(ofBoss)).toEqual([403, 'You cannot change who may do more than you: “Publish configurations”.'])
  expect(await confirm(ofMember)).toEqual([200, true])
  expect(await confirm(uuidv7())).toEqual([404, 'There is no such recovery.'])
})

test('[SES-05] a recovery that has expired, was refused or is another organization’s cannot be confirmed', async () => {
  const { organization, manager, member, params } = await withPeople()
  const elsewhere = await withPeople()
  const foreign = await addRecovery(elsewhere.organization, elsewhere.member.userId)
  const late = await addRecovery(organization, member.userId, -1_000)
  for (const recoveryId of [foreign, late])
    expect((await manager.call('confirmRecovery', { params: { ...params, recoveryId }, body: { code: '123456' } })).status).toBe(404)
  await db.deleteFrom('passkey_recovery').where('organization_id', '=', organization.key).execute()
  const recoveryId = await addRecovery(organization, member.userId)
  expect((await manager.call('refuseRecovery', { params: { ...params, recoveryId } })).status).toBe(204)
  expect((await manager.call('confirmRecovery', { params: { ...params, recoveryId }, body: { code: '123456' } })).status).toBe(404)
})

test('[MAY-04] a manager sees when, from where and with which browser each was asked for, and types its code, which is not shown', async () => {
  const { organization, manager, member, params } = await withPeople()
  const [first, second] = [
    await addRecovery(organization, member.userId),
    await addRecovery(organization, member.userId, 3_600_000, { browser: 'another' }),
  ]
  const { body, text } = await manager.call('listRecoveries', { params })
  expect(body).toMatchObject(
    [first, second].map((recoveryId) => ({
      recoveryId,
      email: member.email,
      address: '203.0.113.7',
      browser: 'Firefox on Windows',
      isConfirmed: false,
      requestedAt: expect.stringMatching(/^2.*Z$/),
    })),
  )
  expect(text).not.toMatch(/123456|code/i)
  const confirm = (recoveryId: string, code: string) =>
    manager.call('confirmRecovery', { params: { ...params, recoveryId }, body: { code } })
  const wrong = 'This is not the code of this request. Ask the member to read it again.'
  expect((await confirm(first, '654321')).problem).toMatchObject({ status: 400, detail: wrong, errors: [{ field: 'code' }] })
  // That of the other request does not count.
  expect((await confirm(second, '123456')).problem).toMatchObject({ status: 400, detail: wrong })
  for (const code of ['12345', '1234567', 'abcdef', '']) expect((await confirm(first, code)).status).toBe(400)
  expect((await confirm(first, '123 456')).body).toMatchObject({ recoveryId: first, isConfirmed: true })
  // The others have ended.
  expect((await manager.call('listRecoveries', { params })).body).toMatchObject([{ recoveryId: first }])
})

test('[MAY-04] a code is not tried out: a request ends with its fifth wrong one, and no other does', async () => {
  const { organization, manager, member, params } = await withPeople()
  const first = await addRecovery(organization, member.userId)
  const second = await addRecovery(organization, member.userId, 3_600_000, { browser: 'another' })
  const answers = []
  for (const code of ['000001', '000002', '000003', '000004', '000005'])
    answers.push((await manager.call('confirmRecovery', { params: { ...params, recoveryId: first }, body: { code } })).status)
  expect(answers).toEqual([400, 400, 400, 400, 400])
  const right = await manager.call('confirmRecovery', { params: { ...params, recoveryId: first }, body: { code: '123456' } })
  expect(right.problem).toMatchObject({ status: 404, detail: 'There is no such recovery.' })
  expect((await manager.call('listRecoveries', { params })).body).toMatchObject([{ recoveryId: second }])
})

test('a recovery that has expired is swept', async () => {
  const { organization, manager, member } = await withPeople()
  await addRecovery(organization, member.userId, -1_000)
  const open = await addRecovery(organization, manager.userId)
  await server.app.sweep()
  const left = await db.selectFrom('passkey_recovery').select('id').where('organization_id', '=', organization.key).execute()
  expect(left).toEqual([{ id: open }])
})
