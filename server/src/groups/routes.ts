import type { Handlers } from '../lib/http/serve.ts'
import { createGroup, findGroups, joinGroup, removeGroup, renameGroup, setGroupProducts, toGroup, visibleGroup } from './groups.ts'
import { signInvitation } from './invitations.ts'

export const groupRoutes = {
  listGroups: async ({ db, caller }) => (await findGroups(db, ...caller.organizations)).map(toGroup),
  createGroup: (call) => createGroup(call, call.body.name.trim()),
  getGroup: async ({ db, caller, params }) => toGroup(await visibleGroup(db, caller, params.id)),
  deleteGroup: (call) => removeGroup(call, call.params.id, call.body.replacementGroupId),
  renameGroup: (call) => renameGroup(call, call.params.id, call.body.name.trim()),
  setGroupProducts: (call) => setGroupProducts(call, call.params.id, call.body.productIds),
  joinGroup: (call) => joinGroup(call, call.params.id, call.body.invitation),
  inviteToGroup: async ({ db, caller, params }) => signInvitation(db, (await visibleGroup(db, caller, params.id)).id),
} satisfies Partial<Handlers>
