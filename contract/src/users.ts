import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The signed-in person (spec §3). The first organization is the active one. `userId` is the e-mail for now. */
export const CurrentUser = z.object({
  userId: z.string(),
  organizationId: z.array(z.string()),
  permissions: z.array(z.string()),
  group: z.nullable(z.object({ gid: z.int(), name: z.string(), products: z.array(z.int()) })),
  email: z.string(),
  phone: z.nullable(z.string()),
  countryCode: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
})
export type CurrentUser = z.infer<typeof CurrentUser>

export const userEndpoints = {
  getCurrentUser: endpoint({
    method: 'GET',
    path: '/api/lectern/users/current',
    access: 'self',
    summary: 'The signed-in person',
    response: CurrentUser,
  }),
}
