import * as z from 'zod/mini'
import { endpoint, organization } from '../http/endpoint.ts'
import { PageFacts, Paging } from '../http/paging.ts'
import { EmailAddress } from '../text/email-address.ts'
import { field } from '../text/fields.ts'
import { Text, Uuid } from '../text/text.ts'
import { passkeyCalls } from './passkeys.ts'
import { EditedRole, Role, RoleId, RoleInput, RoleList } from './roles.ts'

const NamedRole = z.object({ roleId: z.string(), name: z.string() })
const NamedGroup = z.object({ gid: z.int(), name: z.string() })

/**
 * `role`: null for a member from before there were roles who has not been here since. `lastActivityAt`: up to five minutes old; null before
 * the first call.
 */
export const Member = z.object({
  memberId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: z.nullable(NamedRole),
  group: NamedGroup,
  joinedAt: z.iso.datetime(),
  lastActivityAt: z.nullable(z.iso.datetime()),
})
export type Member = z.infer<typeof Member>

export const MemberPage = z.object({ memberList: z.array(Member), ...PageFacts })
export type MemberPage = z.infer<typeof MemberPage>

/** `sentAt`: null where no mail server took it. */
export const Invitation = z.object({
  invitationId: z.string(),
  email: z.string(),
  role: NamedRole,
  group: NamedGroup,
  invitedBy: z.nullable(z.string()),
  sentAt: z.nullable(z.iso.datetime()),
  expiresAt: z.iso.datetime(),
  isExpired: z.boolean(),
})
export type Invitation = z.infer<typeof Invitation>

/** `link`: with its secret; only where the portal has no mail server, so that the inviter passes it on. */
export const SentInvitation = z.extend(Invitation, { link: z.nullable(z.string()) })
export type SentInvitation = z.infer<typeof SentInvitation>

export const InvitationPage = z.object({ invitationList: z.array(Invitation), ...PageFacts })
export type InvitationPage = z.infer<typeof InvitationPage>

const Direction = z.enum(['Ascending', 'Descending'])

export const MemberColumn = z.enum(['Name', 'Address', 'Role', 'Group', 'Joined', 'LastActivity'])
export type MemberColumn = z.infer<typeof MemberColumn>

export const MemberQuery = z.extend(Paging, {
  textFilter: z._default(Text(200), ''),
  ColumnName: z._default(MemberColumn, 'Name'),
  Direction: z._default(Direction, 'Ascending'),
})
export type MemberQuery = z.infer<typeof MemberQuery>

export const InvitationQuery = z.extend(Paging, { textFilter: z._default(Text(200), '') })
export type InvitationQuery = z.infer<typeof InvitationQuery>

const isId = [z.minimum(1), z.maximum(2_147_483_647)] as const
const GroupId = field(z.int('must be a group').check(...isId), { label: 'Group' })
const ChosenRole = field(RoleId, { label: 'Role' })

export const InvitationInput = z.object({
  email: field(EmailAddress(320), {
    label: 'E-mail address',
    hint: 'Only an account with this address, confirmed, can use the invitation.',
  }),
  roleId: ChosenRole,
  groupId: GroupId,
})
export type InvitationInput = z.infer<typeof InvitationInput>

export const RoleChoice = z.object({ roleId: ChosenRole })
export const GroupChoice = z.object({ groupId: GroupId })

/** Days for which an invitation can be used. */
export const invitationDays = 7

const base = '/api/codedm/organization/{organizationId}'
const managers = organization('manage:people')
const memberParams = z.object({ memberId: Uuid })
const invitationParams = z.object({ invitationId: Uuid })
const roleParams = z.object({ roleId: RoleId })

export const peopleEndpoints = {
  ...passkeyCalls,
  listMembers: endpoint({
    method: 'GET',
    path: `${base}/people`,
    access: managers,
    shows: ['groups', 'people'],
    summary: 'A page of the members of an organization',
    query: MemberQuery,
    response: MemberPage,
  }),
  listManagers: endpoint({
    method: 'GET',
    path: `${base}/people/managers`,
    access: organization(),
    limitedRole: 'everything',
    shows: ['people'],
    summary: 'The first members who may manage people, for whoever needs a permission',
    response: z.array(z.object({ name: z.string(), email: z.string() })),
  }),
  changeMemberRole: endpoint({
    method: 'PUT',
    path: `${base}/people/{memberId}/role`,
    access: managers,
    changes: ['people'],
    audit: 'changeMemberRole',
    summary: 'Give a member another role; the last Manager keeps theirs',
    params: memberParams,
    body: RoleChoice,
    response: Member,
  }),
  changeMemberGroup: endpoint({
    method: 'PUT',
    path: `${base}/people/{memberId}/group`,
    access: managers,
    changes: ['groups', 'people', 'registration'],
    audit: 'changeMemberGroup',
    summary: 'Move a member to another group',
    params: memberParams,
    body: GroupChoice,
    response: Member,
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: `${base}/people/{memberId}`,
    access: managers,
    changes: ['groups', 'people', 'registration'],
    audit: 'removeMember',
    summary: 'Remove a member from the organization, and take back the invitations they sent; the last Manager stays',
    params: memberParams,
  }),
  leaveOrganization: endpoint({
    method: 'DELETE',
    path: `${base}/membership`,
    access: organization(),
    limitedRole: 'everything',
    changes: ['groups', 'people', 'registration'],
    audit: 'leaveOrganization',
    summary: 'Leave the organization; the last Manager stays',
  }),
  listInvitations: endpoint({
    method: 'GET',
    path: `${base}/invitations`,
    access: managers,
    shows: ['groups', 'people'],
    summary: 'A page of the invitations that were neither used nor revoked, newest first',
    query: InvitationQuery,
    response: InvitationPage,
  }),
  createInvitation: endpoint({
    method: 'POST',
    path: `${base}/invitations`,
    access: managers,
    changes: ['people'],
    audit: 'createInvitation',
    summary: 'Invite an e-mail address, with a role and a group; for seven days, for one use',
    body: InvitationInput,
    response: SentInvitation,
  }),
  resendInvitation: endpoint({
    method: 'POST',
    path: `${base}/invitations/{invitationId}/resend`,
    access: managers,
    changes: ['people'],
    audit: 'resendInvitation',
    summary: 'Send an invitation again, for another seven days; the link of before no longer works',
    params: invitationParams,
    response: SentInvitation,
  }),
  revokeInvitation: endpoint({
    method: 'DELETE',
    path: `${base}/invitations/{invitationId}`,
    access: managers,
    changes: ['people'],
    audit: 'revokeInvitation',
    summary: 'Take an invitation back',
    params: invitationParams,
  }),
  listRoles: endpoint({
    method: 'GET',
    path: `${base}/roles`,
    access: managers,
    shows: ['people', 'zones'],
    summary: 'The roles of an organization, built-in ones first, with how many members have them',
    response: RoleList,
  }),
  getRole: endpoint({
    method: 'GET',
    path: `${base}/roles/{roleId}`,
    access: managers,
    shows: ['people', 'zones'],
    summary: 'A role of an organization',
    params: roleParams,
    response: Role,
    etag: EditedRole,
  }),
  createRole: endpoint({
    method: 'POST',
    path: `${base}/roles`,
    access: managers,
    changes: ['people'],
    audit: 'createRole',
    summary: 'Add a role of the organization’s own',
    body: RoleInput,
    response: Role,
  }),
  updateRole: endpoint({
    method: 'PUT',
    path: `${base}/roles/{roleId}`,
    access: managers,
    changes: ['people'],
    audit: 'updateRole',
    summary: 'Change a role of the organization’s own, for all who have it',
    params: roleParams,
    body: RoleInput,
    response: Role,
    etag: EditedRole,
  }),
  deleteRole: endpoint({
    method: 'DELETE',
    path: `${base}/roles/{roleId}`,
    access: managers,
    changes: ['people'],
    audit: 'deleteRole',
    summary: 'Delete a role that no member has',
    params: roleParams,
  }),
}
