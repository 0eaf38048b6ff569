import * as z from 'zod/mini'
import { CountryCode } from './countries.ts'
import { endpoint } from './http/endpoint.ts'
import { PhoneNumber } from './text/phone.ts'
import { Line } from './text/text.ts'

/** What somebody still has to do before the portal opens (spec §3). */
export const RegistrationTask = z.enum(['InitialUserRegistration', 'JoinAGroup', 'OrganizationSetup', 'SelectProducts'])
export type RegistrationTask = z.infer<typeof RegistrationTask>

export const PersonName = Line(100)

/** Longest company name, in characters. */
export const companyNameLength = 200

/** Who somebody is (spec §3). `workEmail` is the address they signed in with. */
export const UserRegistration = z.object({
  firstName: PersonName,
  lastName: PersonName,
  // Whatever address a provider lets people sign in with.
  workEmail: z.email({ pattern: z.regexes.unicodeEmail, error: 'must be an e-mail address' }),
  workPhoneNumber: PhoneNumber,
  countryCode: CountryCode,
})
export type UserRegistration = z.infer<typeof UserRegistration>

const path = '/api/lectern/register'
const tasks = z.array(RegistrationTask)

export const registrationEndpoints = {
  listRegistrationTasks: endpoint({
    method: 'GET',
    path,
    access: 'self',
    shows: ['registration'],
    summary: 'What the person still has to register, in order; empty for whoever is done',
    response: tasks,
  }),
  registerUser: endpoint({
    method: 'POST',
    path,
    access: 'self',
    changes: ['people'],
    audit: 'registerUser',
    summary: 'Register oneself; answers the remaining tasks',
    body: UserRegistration,
    response: tasks,
  }),
  registerOrganization: endpoint({
    method: 'POST',
    path: `${path}/organization`,
    access: 'self',
    changes: ['groups', 'organizations', 'people'],
    audit: 'registerOrganization',
    summary: 'Register an organization of one’s own, with its first group; answers the remaining tasks',
    query: z.object({ companyName: Line(companyNameLength) }),
    response: tasks,
  }),
}
