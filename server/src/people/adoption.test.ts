import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const former = [
  ...['manage:cfg', 'manage:firmware', 'manage:cfg-lib', 'manage:locations'],
  ...['access:audit_log', 'access:analytics', 'access:device-dashboard'],
]

/** Members of an organization as the version before roles left them, in the order they joined. */
async function formerMembers(count: number) {
  const organization = await server.organization()
  const members = []
  for (let number = 0; number < count; number++) {
    const subject = randomUUID()
    const email = `${subject}@people.example`
    const { rows } = await sql<{ id: string }>`insert into "user" (id, issuer, subject, email, email_verified)
      values (gen_random_uuid(), ${server.issuer.url}, ${subject}, ${email}, true) returning id`.execute(db)
    await sql`insert into member (organization_id, user_id, group_id, joined_at)
      values (${organization.key}, ${rows[0]!.id}, ${organization.groupId}, now() + ${number} * interval '1 second')`.execute(db)
    const current = async (...permissions: string[]) => {
      const { body } = await server.call('getCurrentUser', {}, { token: await server.issuer.token(subject, { permissions }) })
      return { role: body.organizations?.[0]?.role?.name, permissions: body.permissions }
    }
    members.push({ email, current })
  }
  return { organization, members }
}
const firstManagers = ({ key }: { key: number }) =>
  db.selectFrom('audit_entry').select('target').where('organization_id', '=', key).where('change_type', '=', 'firstManager').execute()

test.for<[string[], string, string[]]>([
  [[], 'Viewer', []],
  [['manage:cfg-lib', 'manage:locations', 'access:device-dashboard'], 'Viewer', []],
  [['manage:cfg', 'manage:firmware'], 'Operator', ['manage:cfg', 'manage:firmware', 'manage:cfg-lib']],
  [['access:analytics', 'access:audit_log', 'manage:locations'], 'Auditor', ['access:audit_log', 'access:analytics']],
  [
    ['access:audit_log', 'manage:cfg', 'global:access:analytics', 'unknown'],
    'manage:cfg, access:audit_log',
    ['manage:cfg', 'access:audit_log', 'global:access:analytics'],
  ],
  [
    former.filter((one) => one !== 'manage:locations'),
    'manage:cfg, manage:firmware, access:audit_log, access:analytics',
    ['manage:cfg', 'manage:firmware', 'access:audit_log', 'access:analytics'],
  ],
])('[PPL-01] at their first token after the upgrade a member with %j gets the role %s', async ([claimed, role, permissions]) => {
  const { organization, members } = await formerMembers(2)
  const [one, two] = members
  expect(await one!.current(...claimed)).toEqual({ role, permissions })
  // Once: what tokens say later grants nothing.
  expect((await one!.current(...former)).role).toBe(role)
  expect(await two!.current(...former)).toMatchObject({ role: 'Manager' })
  expect(await firstManagers(organization)).toEqual([])
})

test('[PPL-01] two members of the same permissions share one role of their organization', async () => {
  const { organization, members } = await formerMembers(3)
  for (const { current } of members) await current('manage:cfg', 'access:analytics')
  const roles = await db.selectFrom('role').select('name').where('organization_id', '=', organization.key).execute()
  expect(roles).toEqual([{ name: 'manage:cfg, access:analytics' }])
})

test('[PPL-01] where nobody had all permissions, the longest member is Manager once everybody was here: log and audit say so', async () => {
  const { organization, members } = await formerMembers(3)
  const [one, two, three] = members
  expect((await two!.current('manage:cfg')).role).toBe('manage:cfg')
  expect((await one!.current()).role).toBe('Viewer')
  expect(await firstManagers(organization)).toEqual([])
  expect((await three!.current('manage:firmware', 'manage:cfg')).role).toBe('Operator')
  expect((await one!.current()).role).toBe('Manager')
  expect(await firstManagers(organization)).toEqual([{ target: one!.email }])
  const sentence = `${one!.email} is Manager of ${organization.name} now, as the longest member: none there had all permissions.`
  expect(server.lines.filter((line) => line.includes(sentence))).toHaveLength(1)
})

test('[PPL-01] members whose first calls come all at once get one Manager', async () => {
  const { organization, members } = await formerMembers(4)
  await Promise.all(members.flatMap(({ current }) => [current('manage:cfg'), current('manage:cfg')]))
  expect(await firstManagers(organization)).toHaveLength(1)
  const managers = await db
    .selectFrom('member')
    .select('user_id')
    .where('organization_id', '=', organization.key)
    .where('built_in_role', '=', 'manager')
    .execute()
  expect(managers).toHaveLength(1)
})
