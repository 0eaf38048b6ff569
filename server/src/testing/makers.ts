import { createHash, randomUUID } from 'node:crypto'
import type { NewDeskRecord } from '@lectern/contract/desk/desk.ts'
import type { EndpointName } from '@lectern/contract/endpoints.ts'
import type { CheckIn, ReportedDevice } from '@lectern/contract/hosts.ts'
import { customerPermissions, type Permission } from '@lectern/contract/http/permissions.ts'
import type { CallArguments } from '@lectern/contract/http/request.ts'
import { type BuiltInRole, builtInRoles } from '@lectern/contract/people/roles.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import type { Answer } from './call.ts'
import type { TestIssuer } from './issuer.ts'

type Call = <N extends EndpointName>(
  name: N,
  args?: CallArguments,
  init?: { token?: string; headers?: Record<string, string> },
) => Promise<Answer<N>>
type CallAs = <N extends EndpointName>(name: N, args?: CallArguments, headers?: Record<string, string>) => Promise<Answer<N>>

export interface TestOrganization {
  id: string
  key: number
  name: string
  groupId: number
}

interface PersonOptions {
  organization?: TestOrganization
  permissions?: readonly Permission[]
  email?: string
  /** Of the e-mail address; default: true. */
  isVerified?: boolean
}

const sameList = (one: readonly string[], other: readonly string[]): boolean => one.join() === other.join()

export function makers(db: Database, issuer: TestIssuer, call: Call) {
  const callAs =
    (token: string): CallAs =>
    (name, args, headers) =>
      call(name, args, { token, headers })

  async function organization(name = `Organization ${randomUUID().slice(0, 8)}`): Promise<TestOrganization> {
    const id = uuidv7()
    const { id: key } = await db.insertInto('organization').values({ public_id: id, name }).returning('id').executeTakeFirstOrThrow()
    const group = await db
      .insertInto('group')
      .values({ organization_id: key, name: `${name} Products` })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, key, name, groupId: group.id }
  }

  /** Makes the person a member with a role of these permissions. */
  async function join(userId: string, { key, groupId }: TestOrganization, permissions: readonly string[]): Promise<void> {
    const held = customerPermissions.filter((permission) => permissions.includes(permission))
    const builtIn = (Object.keys(builtInRoles) as BuiltInRole[]).find((role) => sameList(builtInRoles[role].permissions, held))
    const role = { organization_id: key, id: uuidv7(), name: held.join(', '), permissions: held }
    if (!builtIn)
      await db
        .insertInto('role')
        .values(role)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    const own = db.selectFrom('role').select('id').where('organization_id', '=', key).where('name', '=', role.name)
    const named = builtIn ? { built_in_role: builtIn } : { role_id: own.$asScalar() as never }
    const member = { organization_id: key, user_id: userId, group_id: groupId, last_active_at: new Date() }
    await db
      .insertInto('member')
      .values({ ...member, ...named })
      .execute()
  }

  async function person({
    organization: home,
    permissions = [],
    email = `${randomUUID()}@people.example`,
    isVerified = true,
  }: PersonOptions = {}) {
    const subject = randomUUID()
    const userId = uuidv7()
    await db.insertInto('user').values({ id: userId, issuer: issuer.url, subject, email, email_verified: isVerified }).execute()
    if (home) await join(userId, home, permissions)
    // A token grants permissions of organizations to staff alone.
    const isStaff = permissions.includes('global:access:organizations')
    const token = await issuer.token(subject, { permissions: permissions.filter((one) => !home || isStaff || one.startsWith('global:')) })
    return { userId, subject, email, token, call: callAs(token) }
  }

  /** Makes an open invitation of an address to a group, as a Viewer. Returns what its link has. */
  async function invitation(groupId: number, email: string): Promise<string> {
    const secret = randomUUID()
    const secret_hash = createHash('sha256').update(secret).digest('hex')
    await sql`insert into invitation (organization_id, id, email, built_in_role, group_id, secret_hash, invited_by, expires_at)
      select organization_id, ${uuidv7()}, ${email}, 'viewer', id, ${secret_hash}, ${uuidv7()}, now() + interval '7 days'
      from "group" where id = ${groupId}`.execute(db)
    return secret
  }

  async function licence(owner: TestOrganization): Promise<string> {
    const number = `LEC-${randomUUID()}`
    const id = uuidv7()
    await db.insertInto('licence').values({ id, organization_id: owner.key, licence_number: number }).execute()
    await db.insertInto('licence_owner').values({ licence_id: id, organization_id: owner.key, licence_number: number }).execute()
    return number
  }

  /** Makes a zone with a manager who may publish. `key`: the zone's internal id. */
  async function zone(name = `Zone ${randomUUID().slice(0, 8)}`, owner?: TestOrganization) {
    const home = owner ?? (await organization())
    const manager = await person({ organization: home, permissions: ['manage:cfg', 'manage:firmware'] })
    const { body } = await manager.call('createZone', { params: { organizationId: home.id, location: name } })
    const { id: key } = await db.selectFrom('zone').select('id').where('public_id', '=', body.id).executeTakeFirstOrThrow()
    return { id: body.id, key, name: body.name, organization: home, manager }
  }

  async function host(
    { id, organization: owner }: { id: string; organization: TestOrganization },
    hostName = 'HOST-01',
    number?: string,
    timeZone = 'Europe/Berlin',
  ) {
    const credential = randomUUID()
    const credentialHash = createHash('sha256').update(credential).digest('hex')
    const body = { zoneId: id, hostName, timeZone, agentVersion: '1.0.0', credentialHash }
    const answer = await call('enrollHost', { body }, { token: number ?? (await licence(owner)) })
    const as = callAs(credential)
    const checkIn = (devices: readonly unknown[], more: Partial<CheckIn> = {}) =>
      as('checkIn', { body: { timeZone, agentVersion: '1.0.0', devices, ...more } })
    /** Sets back by an hour when hosts were handed publications, as no outcome is dated before. */
    const wasHandedEarlier = () =>
      sql`update handed_out set at = at - interval '1 hour' from host
        where host.organization_id = handed_out.organization_id and host.id = host_id and host.public_id = ${answer.body.hostId}`.execute(
        db,
      )
    return { hostId: answer.body.hostId, credential, call: as, checkIn, wasHandedEarlier }
  }

  /** Makes a member whose role has these permissions and is limited to zones, by public id, and to tags. */
  async function limitedPerson(
    home: TestOrganization,
    zones: readonly { id: string }[],
    permissions: readonly Permission[],
    tags: readonly string[] = [],
  ) {
    const manager = await person({ organization: home, permissions: customerPermissions })
    const params = { organizationId: home.id }
    const body = { name: `Limited ${uuidv7()}`, permissions, zones: zones.map(({ id }) => id), tags }
    const { roleId } = (await manager.call('createRole', { params, body })).body
    const member = await person({ organization: home })
    await manager.call('changeMemberRole', { params: { ...params, memberId: member.userId }, body: { roleId } })
    return { ...member, roleId, manager }
  }

  return { organization, person, limitedPerson, join, invitation, licence, zone, host }
}

export type TestPerson = Awaited<ReturnType<ReturnType<typeof makers>['person']>>

export const reader = (serialNumber: string, parts: Partial<ReportedDevice> = {}): ReportedDevice => ({
  serialNumber,
  deviceType: 'CR2700',
  firmware: '4.9.2',
  configuration: null,
  batteryHealth: 80,
  warrantyUntil: '2030-01-31',
  ...parts,
})

/** A record of a desk as a page sends it. */
export const deskRecord = (parts: Partial<NewDeskRecord> = {}): NewDeskRecord => ({
  id: uuidv7(),
  serialNumber: '1234567890',
  identity: { model: 'CR2700', firmware: '4.9.2' },
  configuration: { name: 'Commands of the builder', device: 'CR2700' },
  commands: ['SYAZTCSEN1'],
  typed: 'SYAZTCSEN1',
  typedSlowly: false,
  typedAt: '2026-11-20T08:30:00.000Z',
  browser: 'Firefox 140',
  ...parts,
})

export const organizationKey = (publicId: string) => sql<number>`(select id from organization where public_id = ${publicId})`
