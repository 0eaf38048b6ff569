import type { Handlers } from '../lib/http/serve.ts'
import { createGroup, getVisibleGroup, joinGroup, listGroups, removeGroup, renameGroup, setGroupProducts, toGroup } from './groups.ts'

export const groupRoutes = {
  listGroups: async ({ db, caller }) => (await listGroups(db, ...caller.organizations.slice(0, 1).map(({ id }) => id))).map(toGroup),
  createGroup: ({ db, actor, body }) => createGroup(db, actor, body.name.trim()),
  getGroup: async ({ db, caller, params }) => toGroup(await getVisibleGroup(db, caller, params.id)),
  deleteGroup: ({ db, actor, params, body }) => removeGroup(db, actor, params.id, body.replacementGroupId),
  renameGroup: ({ db, actor, params, body }) => renameGroup(db, actor, params.id, body.name.trim()),
  setGroupProducts: ({ db, actor, params, body, unchanged }) => setGroupProducts(db, actor, params.id, body.productIds, unchanged),
  joinGroup: ({ db, actor, params, body }) => joinGroup(db, actor, params.id, body.invitation),
} satisfies Partial<Handlers>
