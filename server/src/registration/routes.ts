import { builtInRoles } from '@lectern/contract/people/roles.ts'
import { findOwnLog, recordChange } from '../audit/audit.ts'
import { isCountry } from '../countries/countries.ts'
import { listMemberships } from '../groups/groups.ts'
import { isSameAddress } from '../lib/address.ts'
import { Problem } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { saveProfile } from '../users/users.ts'
import { listPendingTasks, setUpOrganization } from './registration.ts'

export const registrationRoutes = {
  listRegistrationTasks: ({ db, caller }) => listPendingTasks(db, caller),
  registerUser: async ({ db, caller, actor, body }) => {
    refuseUnless(isSameAddress(body.workEmail, caller.email), 'workEmail', 'must be the address you are signed in with')
    refuseUnless(isCountry(body.countryCode), 'countryCode', 'must be the code of a country')
    await saveProfile(db, caller.userId, {
      firstName: body.firstName,
      lastName: body.lastName,
      phone: body.workPhoneNumber,
      countryCode: body.countryCode,
    })
    await recordChange(db, actor, { organization_id: findOwnLog(caller), change_type: 'registerUser', target: caller.email })
    return listPendingTasks(db, caller)
  },
  registerOrganization: async ({ db, caller, actor, query, settings }) => {
    await setUpOrganization(db, actor, query.companyName.trim().replace(/\s+/g, ' '))
    const permissions = settings.organizationPermissions === 'token' ? caller.claims : new Set(builtInRoles.manager.permissions)
    return listPendingTasks(db, { ...caller, permissions, organizations: await listMemberships(db, caller.userId) })
  },
} satisfies Partial<Handlers>

function refuseUnless(condition: boolean, field: string, message: string): void {
  if (!condition) throw new Problem(400, `${field} ${message}`, { errors: [{ field, message }] })
}
