import type { CurrentUser, UpdateUser } from '@lectern/contract/users.ts'
import { findOwnLog, recordChange } from '../audit/audit.ts'
import { isCountry } from '../countries/countries.ts'
import { findOwnGroup } from '../groups/groups.ts'
import type { Database } from '../lib/database/database.ts'
import type { Person } from '../lib/http/caller.ts'
import { Problem } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { selectProfile } from './sql.ts'
import { saveProfile } from './users.ts'

export const userRoutes = {
  getCurrentUser: ({ db, caller }) => getCurrentUser(db, caller),
  updateCurrentUser: async ({ db, caller, actor, body }) => {
    const { phone, phoneNumber, ...rest } = body
    if (rest.countryCode !== undefined && !isCountry(rest.countryCode)) {
      const message = 'must be the code of a country'
      throw new Problem(400, `countryCode ${message}`, { errors: [{ field: 'countryCode', message }] })
    }
    await saveProfile(db, caller.userId, { ...rest, phone: phone ?? phoneNumber })
    await recordChange(db, actor, {
      organization_id: findOwnLog(caller),
      change_type: 'updateCurrentUser',
      target: caller.email,
      new_value: listGivenFields(body),
    })
    return getCurrentUser(db, caller)
  },
} satisfies Partial<Handlers>

const fieldNames = {
  firstName: 'first name',
  lastName: 'last name',
  phone: 'phone',
  phoneNumber: 'phone',
  countryCode: 'country',
} satisfies Record<keyof UpdateUser, string>

/** Names without values, which are private. Null for none. */
const listGivenFields = (given: UpdateUser): string | null =>
  [...new Set(Object.keys(given).map((name) => fieldNames[name as keyof UpdateUser]))].join(', ') || null

async function getCurrentUser(db: Database, caller: Person): Promise<CurrentUser> {
  const profile = await selectProfile(db, caller.userId)
  const group = await findOwnGroup(db, caller)
  return {
    userId: caller.email,
    organizationId: caller.organizations.map(({ publicId }) => publicId),
    permissions: [...caller.permissions],
    group: group ? { gid: group.id, name: group.name, products: group.products } : null,
    email: caller.email,
    phone: profile.phone,
    countryCode: profile.country_code,
    firstName: profile.first_name,
    lastName: profile.last_name,
  }
}
