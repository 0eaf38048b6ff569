import * as z from 'zod/mini'
import { CountryCode } from './countries.ts'
import { endpoint } from './http/endpoint.ts'
import { firstName } from './registration.ts'
import { field } from './text/fields.ts'
import { OptionalLine, Text } from './text/text.ts'

/** The first organization is the active one. `userId`: the e-mail address for now (spec §3). */
export const CurrentUser = z.object({
  userId: z.string(),
  organizationId: z.array(z.string()),
  /** Permissions in the active organization come from the role there; provider-wide ones from the token (decision 45). */
  permissions: z.array(z.string()),
  /** Whether the role in the active organization is limited to zones. */
  isLimitedToZones: z.optional(z.literal(true)),
  /** In the order of `organizationId`. `role`: null where tokens decide what members may do, or no token has come since there are roles. */
  organizations: z.optional(
    z.array(z.object({ id: z.string(), name: z.string(), role: z.nullable(z.object({ roleId: z.string(), name: z.string() })) })),
  ),
  group: z.nullable(z.object({ gid: z.int(), name: z.string(), products: z.array(z.int()) })),
  email: z.string(),
  phone: z.nullable(z.string()),
  countryCode: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
})
export type CurrentUser = z.infer<typeof CurrentUser>

/** Absent fields stay. `phone` may be called `phoneNumber` (spec §3). */
export const UpdateUser = z.object({
  firstName: z.optional(firstName),
  lastName: field(z.optional(OptionalLine(100)), { label: 'Last name' }),
  phone: field(z.optional(OptionalLine(40)), { label: 'Phone' }),
  phoneNumber: z.optional(OptionalLine(40)),
  countryCode: field(z.optional(CountryCode), { label: 'Country' }),
})
export type UpdateUser = z.infer<typeof UpdateUser>

export const ActiveOrganization = z.object({ organizationId: Text(100) })

const path = '/api/lectern/users/current'

export const userEndpoints = {
  getCurrentUser: endpoint({
    method: 'GET',
    path,
    access: 'self',
    limitedRole: 'everything',
    shows: ['groups', 'people'],
    summary: 'The signed-in person',
    response: CurrentUser,
  }),
  updateCurrentUser: endpoint({
    method: 'PUT',
    path,
    access: 'self',
    limitedRole: 'everything',
    changes: ['people'],
    audit: 'updateCurrentUser',
    summary: 'Change one’s profile',
    body: UpdateUser,
    response: CurrentUser,
  }),
  setActiveOrganization: endpoint({
    method: 'PUT',
    path: `${path}/organization`,
    access: 'self',
    limitedRole: 'everything',
    changes: ['people'],
    audit: { none: 'It is one person’s preference of where a new tab begins, and gives no access.' },
    summary: 'Choose which of one’s organizations is active where a call names none',
    body: ActiveOrganization,
    response: CurrentUser,
  }),
}
