import type { Handlers, Services } from '../lib/http/serve.ts'
import type { PeopleCall } from './grants.ts'
import { invite, listInvitations, resendInvitation, revokeInvitation } from './invitations.ts'
import { confirmRecovery, getSignInRule, listRecoveries, refuseRecovery, setSignInRule } from './passkeys.ts'
import { changeMemberGroup, changeMemberRole, leaveOrganization, listManagers, listMembers, removeMember } from './people.ts'
import { changeRole, createRole, getRole, listRoles, removeRole } from './roles.ts'

type Given = Pick<Services, 'settings'> & Pick<PeopleCall, 'db' | 'actor'> & { params: { organizationId: number } }

const areReadOnly = ({ settings }: Pick<Services, 'settings'>) => settings.organizationPermissions === 'token'
const toCall = <Call extends Given>(call: Call) => ({
  ...call,
  organizationId: call.params.organizationId,
  areRolesReadOnly: areReadOnly(call),
})

export const peopleRoutes = {
  listMembers: ({ db, params, query }) => listMembers(db, params.organizationId, query),
  listManagers: ({ db, params }) => listManagers(db, params.organizationId),
  changeMemberRole: (call) => changeMemberRole(toCall(call), call.params.memberId, call.body.roleId),
  changeMemberGroup: (call) => changeMemberGroup(toCall(call), call.params.memberId, call.body.groupId),
  removeMember: (call) => removeMember(toCall(call), call.params.memberId),
  leaveOrganization: (call) => leaveOrganization(toCall(call)),
  listInvitations: ({ db, params, query }) => listInvitations(db, params.organizationId, query),
  createInvitation: (call) => invite(toCall(call), call.body),
  resendInvitation: (call) => resendInvitation(toCall(call), call.params.invitationId),
  revokeInvitation: (call) => revokeInvitation(toCall(call), call.params.invitationId),
  listRoles: (call) => listRoles(call.db, call.params.organizationId, areReadOnly(call)),
  getRole: ({ db, params }) => getRole(db, params.organizationId, params.roleId),
  createRole: (call) => createRole(toCall(call), call.body),
  updateRole: (call) => changeRole(toCall(call), call.params.roleId, call.body, call.unchanged),
  deleteRole: (call) => removeRole(toCall(call), call.params.roleId),
  getSignInRule: ({ db, params }) => getSignInRule(db, params.organizationId),
  setSignInRule: (call) => setSignInRule(toCall(call), call.body),
  listRecoveries: (call) => listRecoveries(toCall(call)),
  confirmRecovery: (call) => confirmRecovery(toCall(call), call.params.recoveryId, call.body.code),
  refuseRecovery: (call) => refuseRecovery(toCall(call), call.params.recoveryId),
} satisfies Partial<Handlers>
