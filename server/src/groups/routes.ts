import type { Handlers } from '../lib/http/serve.ts'
import {
  createGroup,
  getVisibleGroup,
  joinGroup,
  listCountedGroups,
  listGroups,
  removeGroup,
  renameGroup,
  setGroupProducts,
  toGroup,
} from './groups.ts'

export const groupRoutes = {
  listGroups: async ({ db, caller: { organizations }, query: { members } }) => {
    const [active] = organizations
    if (!active) return []
    return members === 'counted' ? listCountedGroups(db, active.id) : (await listGroups(db, active.id)).map(toGroup)
  },
  createGroup: ({ db, actor, body }) => createGroup(db, actor, body.name.trim()),
  getGroup: async ({ db, caller, params }) => toGroup(await getVisibleGroup(db, caller, params.id)),
  deleteGroup: ({ db, actor, params, body }) => removeGroup(db, actor, params.id, body.replacementGroupId),
  renameGroup: ({ db, actor, params, body }) => renameGroup(db, actor, params.id, body.name.trim()),
  setGroupProducts: ({ db, actor, params, body, unchanged }) => setGroupProducts(db, actor, params.id, body.productIds, unchanged),
  joinGroup: ({ db, actor, params, body }) => joinGroup(db, actor, params.id, body.invitation),
} satisfies Partial<Handlers>
