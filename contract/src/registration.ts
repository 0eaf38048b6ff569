import * as z from 'zod/mini'
import { CountryCode } from './countries.ts'
import { endpoint } from './http/endpoint.ts'
import { EmailAddress } from './text/email-address.ts'
import { field } from './text/fields.ts'
import { PhoneNumber } from './text/phone.ts'
import { Name } from './text/text.ts'

export const RegistrationTask = z.enum(['InitialUserRegistration', 'JoinAGroup', 'OrganizationSetup', 'SelectProducts'])
export type RegistrationTask = z.infer<typeof RegistrationTask>

export const companyNameLength = 200

export const firstName = field(Name(100), { label: 'First name' })

/** `workEmail`: the address that the user signed in with (spec §3). */
export const UserRegistration = z.object({
  firstName,
  lastName: field(Name(100), { label: 'Last name' }),
  workEmail: EmailAddress(320),
  workPhoneNumber: field(PhoneNumber, { label: 'Work phone', hint: 'Only used for support calls you ask for.' }),
  countryCode: field(CountryCode, { label: 'Country' }),
})
export type UserRegistration = z.infer<typeof UserRegistration>

export const CompanyInput = z.object({ companyName: field(Name(companyNameLength), { label: 'Company name' }) })

const path = '/api/lectern/register'
const tasks = z.array(RegistrationTask)

export const registrationEndpoints = {
  listRegistrationTasks: endpoint({
    method: 'GET',
    path,
    access: 'self',
    limitedRole: 'everything',
    shows: ['registration'],
    summary: 'The registration tasks that remain for the caller, in order; empty when all are done',
    response: tasks,
  }),
  registerUser: endpoint({
    method: 'POST',
    path,
    access: 'self',
    limitedRole: 'everything',
    changes: ['people'],
    audit: 'registerUser',
    summary: 'Register oneself; returns the remaining tasks',
    body: UserRegistration,
    response: tasks,
  }),
  registerOrganization: endpoint({
    method: 'POST',
    path: `${path}/organization`,
    access: 'self',
    limitedRole: 'everything',
    changes: ['groups', 'organizations', 'people'],
    audit: 'registerOrganization',
    summary: 'Register an organization of one’s own, with its first group; returns the remaining tasks',
    query: CompanyInput,
    response: tasks,
  }),
}
