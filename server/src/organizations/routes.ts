import { notFound } from '../lib/problem.ts'
import type { Handlers } from '../lib/serve.ts'
import { selectGroups, selectOrganization } from './sql.ts'

export const organizationRoutes = {
  getOrganization: async ({ db, params }) => {
    const organization = await selectOrganization(db, params.organizationId)
    if (!organization) throw notFound()
    const groups = await selectGroups(db, organization.id)
    return {
      id: organization.id,
      name: organization.name,
      hasEpicData: organization.has_epic_data,
      groups: groups.map(({ id, name, products, people }) => ({ gid: id, name, products: products ?? [], users: people ?? [] })),
    }
  },
} satisfies Partial<Handlers>
