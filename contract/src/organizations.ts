import * as z from 'zod/mini'
import { endpoint, organization } from './endpoint.ts'

/** A colleague as others see them (spec §3). */
export const GroupMember = z.object({ firstName: z.string(), lastName: z.string(), email: z.string() })
export type GroupMember = z.infer<typeof GroupMember>

export const Group = z.object({ gid: z.int(), name: z.string(), products: z.array(z.int()), users: z.array(GroupMember) })
export type Group = z.infer<typeof Group>

/** `name` is null until the organization's registration is complete (spec §3). */
export const Organization = z.object({
  id: z.string(),
  name: z.nullable(z.string()),
  groups: z.array(Group),
  hasEpicData: z.boolean(),
})
export type Organization = z.infer<typeof Organization>

export const organizationEndpoints = {
  getOrganization: endpoint({
    method: 'GET',
    path: '/api/lectern/organization/{organizationId}',
    access: organization(),
    summary: 'An organization with its groups and their members',
    response: Organization,
  }),
}
