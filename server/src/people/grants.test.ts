import { customerPermissions, type Permission } from '@lectern/contract/http/permissions.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

/** Roles by hand: built in as decided, and of one's own. */
const roles: Record<string, { id?: string; permissions: readonly Permission[] }> = {
  Viewer: { id: 'viewer', permissions: [] },
  Operator: { id: 'operator', permissions: ['manage:cfg', 'manage:firmware', 'manage:cfg-lib'] },
  Auditor: { id: 'auditor', permissions: ['access:audit_log', 'access:analytics'] },
  Manager: { id: 'manager', permissions: customerPermissions },
  Clerk: { permissions: ['manage:people'] },
  'Clerk who configures': { permissions: ['manage:people', 'manage:cfg'] },
  'Clerk of operators': { permissions: ['manage:people', 'manage:cfg', 'manage:firmware', 'manage:cfg-lib'] },
  Locations: { permissions: ['manage:locations'] },
  'All but one': { permissions: customerPermissions.filter((permission) => permission !== 'access:analytics') },
}
const names = Object.keys(roles)

const organization = await server.organization()
const params = { organizationId: organization.id }
const founder = await server.person({ organization, permissions: customerPermissions })
const ids = new Map<string, string>()
for (const [name, { id, permissions }] of Object.entries(roles))
  ids.set(name, id ?? (await founder.call('createRole', { params, body: { name, permissions: [...permissions] } })).body.roleId)
const idOf = (name: string) => ids.get(name)!

/** A member with a role. */
async function memberWith(name: string) {
  const person = await server.person({ organization })
  await founder.call('changeMemberRole', { params: { ...params, memberId: person.userId }, body: { roleId: idOf(name) } })
  return person
}

const isWithin = (held: readonly string[], needed: readonly string[]) => needed.every((permission) => held.includes(permission))
let made = 0

/** Each act grants the second role, or is done to a person who has it. Returns whether it succeeded. */
const acts = {
  'gives a Viewer the role': async (actor: Awaited<ReturnType<typeof memberWith>>, name: string) => {
    const { userId } = await memberWith('Viewer')
    return actor.call('changeMemberRole', { params: { ...params, memberId: userId }, body: { roleId: idOf(name) } })
  },
  'gives themselves the role': async (_: unknown, name: string, holder: string) => {
    const actor = await memberWith(holder)
    return actor.call('changeMemberRole', { params: { ...params, memberId: actor.userId }, body: { roleId: idOf(name) } })
  },
  'takes the role from a member': async (actor: Awaited<ReturnType<typeof memberWith>>, name: string) => {
    const { userId } = await memberWith(name)
    return actor.call('changeMemberRole', { params: { ...params, memberId: userId }, body: { roleId: 'viewer' } })
  },
  'removes a member who has the role': async (actor: Awaited<ReturnType<typeof memberWith>>, name: string) => {
    const { userId } = await memberWith(name)
    return actor.call('removeMember', { params: { ...params, memberId: userId } })
  },
  'invites with the role': async (actor: Awaited<ReturnType<typeof memberWith>>, name: string) =>
    actor.call('createInvitation', {
      params,
      body: { email: `guest-${++made}@people.example`, roleId: idOf(name), groupId: organization.groupId },
    }),
  'sends an invitation with the role again': async (actor: Awaited<ReturnType<typeof memberWith>>, name: string) => {
    const body = { email: `guest-${++made}@people.example`, roleId: idOf(name), groupId: organization.groupId }
    const { invitationId } = (await founder.call('createInvitation', { params, body })).body
    return actor.call('resendInvitation', { params: { ...params, invitationId } })
  },
  'makes a role of the same permissions': async (actor: Awaited<ReturnType<typeof memberWith>>, name: string) =>
    actor.call('createRole', { params, body: { name: `Made ${++made}`, permissions: [...roles[name]!.permissions] } }),
  'widens a role to the same permissions': async (actor: Awaited<ReturnType<typeof memberWith>>, name: string) => {
    const { roleId } = (await founder.call('createRole', { params, body: { name: `Made ${++made}`, permissions: [] } })).body
    return actor.call('updateRole', {
      params: { ...params, roleId },
      body: { name: `Wider ${made}`, permissions: [...roles[name]!.permissions] },
    })
  },
  'empties a role of the same permissions': async (actor: Awaited<ReturnType<typeof memberWith>>, name: string) => {
    const body = { name: `Made ${++made}`, permissions: [...roles[name]!.permissions] }
    const { roleId } = (await founder.call('createRole', { params, body })).body
    return actor.call('updateRole', { params: { ...params, roleId }, body: { name: `Emptier ${made}`, permissions: [] } })
  },
}

// An organization has at most 100 roles.
afterEach(() =>
  server.app.db.deleteFrom('role').where('organization_id', '=', organization.key).where('name', '~', '^(Made|Wider|Emptier) ').execute(),
)

describe.each(Object.entries(acts))('%s', (_, act) => {
  test('[PPL-06] works within what the actor may do themselves, for every pair of roles', { timeout: 120_000 }, async () => {
    const outcomes: string[] = []
    const expected: string[] = []
    for (const holder of names) {
      const actor = await memberWith(holder)
      for (const granted of names) {
        const { status } = await act(actor, granted, holder)
        const held = roles[holder]!.permissions
        const isAllowed = held.includes('manage:people') && isWithin(held, roles[granted]!.permissions)
        outcomes.push(`${holder} → ${granted}: ${status < 300 ? 'done' : status}`)
        expected.push(`${holder} → ${granted}: ${isAllowed ? 'done' : 403}`)
      }
    }
    expect(outcomes).toEqual(expected)
  })
})

test('[PPL-06] the sentence names what is missing', async () => {
  const clerk = await memberWith('Clerk')
  const { problem } = await acts['invites with the role'](clerk, 'Operator')
  expect(problem.detail).toBe(
    'You cannot grant “Publish configurations”, “Publish firmware, manage zones”, “Manage the library”, as you do not have it yourself.',
  )
  const taken = await acts['removes a member who has the role'](clerk, 'Auditor')
  expect(taken.problem.detail).toBe('You cannot change who may do more than you: “Read the audit log”, “See the graphs”.')
})

test('[PPL-06] provider-wide permissions are granted by nobody in an organization', async () => {
  const staff = await server.person({ permissions: ['global:access:organizations', 'global:access:analytics', 'manage:people'] })
  for (const person of [founder, staff]) {
    const body = { name: 'Everything', permissions: ['global:access:organizations'] }
    expect((await person.call('createRole', { params, body })).problem).toMatchObject({
      status: 400,
      detail: 'permissions must be permissions of an organization',
    })
  }
})

test('[MAY-06] who manages people alone moves nobody to another group who may do more', async () => {
  const organization = await server.organization()
  const manager = await server.person({ organization, permissions: customerPermissions })
  const clerk = await server.person({ organization, permissions: ['manage:people'] })
  const viewer = await server.person({ organization })
  const { gid } = (await manager.call('createGroup', { body: { name: 'Night shift' } })).body
  const move = (memberId: string) =>
    clerk.call('changeMemberGroup', { params: { organizationId: organization.id, memberId }, body: { groupId: gid } })
  expect((await move(manager.userId)).problem).toMatchObject({
    status: 403,
    detail: expect.stringContaining('You cannot change who may do more than you'),
  })
  expect([(await move(viewer.userId)).status, (await move(clerk.userId)).status]).toEqual([200, 200])
})
