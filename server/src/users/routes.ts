import type { CurrentUser } from '@lectern/contract/users.ts'
import { isCountry } from '../countries/countries.ts'
import { ownGroup } from '../groups/groups.ts'
import type { Person } from '../lib/caller.ts'
import type { Database } from '../lib/database.ts'
import { Problem } from '../lib/problem.ts'
import type { Handlers } from '../lib/serve.ts'
import { selectProfile } from './sql.ts'
import { saveProfile } from './users.ts'

export const userRoutes = {
  getCurrentUser: ({ db, caller }) => currentUser(db, caller),
  updateCurrentUser: async ({ db, caller, body: { phone, phoneNumber, ...rest } }) => {
    if (rest.countryCode !== undefined && !isCountry(rest.countryCode)) {
      const message = 'must be the code of a country'
      throw new Problem(400, `countryCode ${message}`, { errors: [{ field: 'countryCode', message }] })
    }
    await saveProfile(db, caller.userId, { ...rest, phone: phone ?? phoneNumber })
    return currentUser(db, caller)
  },
} satisfies Partial<Handlers>

async function currentUser(db: Database, caller: Person): Promise<CurrentUser> {
  const profile = await selectProfile(db, caller.userId)
  const group = await ownGroup(db, caller)
  return {
    userId: caller.email,
    organizationId: [...caller.organizations],
    permissions: [...caller.permissions],
    group: group ? { gid: group.id, name: group.name, products: group.products } : null,
    email: caller.email,
    phone: profile.phone,
    countryCode: profile.country_code,
    firstName: profile.first_name,
    lastName: profile.last_name,
  }
}
