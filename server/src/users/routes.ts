import type { Handlers } from '../lib/serve.ts'
import { selectGroupOf, selectProfile } from './sql.ts'

export const userRoutes = {
  getCurrentUser: async ({ db, caller }) => {
    const [active] = caller.organizations
    const profile = await selectProfile(db, caller.userId)
    const group = active === undefined ? undefined : await selectGroupOf(db, caller.userId, active)
    return {
      userId: caller.email,
      organizationId: [...caller.organizations],
      permissions: [...caller.permissions],
      group: group ? { gid: group.gid, name: group.name, products: group.products ?? [] } : null,
      email: caller.email,
      phone: profile.phone,
      countryCode: profile.country_code,
      firstName: profile.first_name,
      lastName: profile.last_name,
    }
  },
} satisfies Partial<Handlers>
