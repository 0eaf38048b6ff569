import type { Endpoints } from '@lectern/contract/endpoints.ts'
import type { CurrentUser, UpdateUser } from '@lectern/contract/users.ts'
import { findOwnLog, recordChange } from '../audit/audit.ts'
import { isCountry } from '../countries/countries.ts'
import { findOwnGroup } from '../groups/groups.ts'
import { enterOrganization, type Person } from '../lib/http/caller.ts'
import { Problem } from '../lib/http/problem.ts'
import type { Call, Handlers } from '../lib/http/serve.ts'
import { listOwnOrganizations, setActiveOrganization } from '../people/people.ts'
import { selectProfile } from './sql.ts'
import { saveProfile } from './users.ts'

type Given = Pick<Call<Endpoints['getCurrentUser']>, 'db' | 'settings'>

export const userRoutes = {
  getCurrentUser: (call) => getCurrentUser(call, call.caller),
  updateCurrentUser: async (call) => {
    const { db, caller, actor, body } = call
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
    return getCurrentUser(call, caller)
  },
  setActiveOrganization: async (call) => {
    const { db, caller, body } = call
    const preferred = await setActiveOrganization(db, caller, body.organizationId)
    return getCurrentUser(call, enterOrganization({ ...caller, preferred }, preferred))
  },
} satisfies Partial<Handlers>

const fieldNames = {
  firstName: 'first name',
  lastName: 'last name',
  phone: 'phone',
  phoneNumber: 'phone',
  countryCode: 'country',
} satisfies Record<keyof UpdateUser, string>

/** Names of the given fields without values, which are private. Null for none. */
const listGivenFields = (given: UpdateUser): string | null =>
  [...new Set(Object.keys(given).map((name) => fieldNames[name as keyof UpdateUser]))].join(', ') || null

async function getCurrentUser({ db, settings }: Given, caller: Person): Promise<CurrentUser> {
  const profile = await selectProfile(db, caller.userId)
  const group = await findOwnGroup(db, caller)
  return {
    userId: caller.email,
    organizationId: caller.organizations.map(({ publicId }) => publicId),
    organizations: await listOwnOrganizations(db, caller, settings.organizationPermissions === 'token'),
    permissions: [...caller.permissions],
    ...(caller.zones !== null && { isLimitedToZones: true as const }),
    group: group ? { gid: group.id, name: group.name, products: group.products } : null,
    email: caller.email,
    phone: profile.phone,
    countryCode: profile.country_code,
    firstName: profile.first_name,
    lastName: profile.last_name,
  }
}
