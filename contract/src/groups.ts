import * as z from 'zod/mini'
import { endpoint, oneOf, provider } from './http/endpoint.ts'
import { productListPermissions } from './http/product-list.ts'
import { companyNameLength } from './registration.ts'
import { field } from './text/fields.ts'
import { Name } from './text/text.ts'

export const GroupMember = z.object({ firstName: z.string(), lastName: z.string(), email: z.string() })
export type GroupMember = z.infer<typeof GroupMember>

export const Group = z.object({
  gid: z.int(),
  name: z.string(),
  products: z.array(z.int()),
  users: z.array(GroupMember),
  memberCount: z.optional(z.int()),
})
export type Group = z.infer<typeof Group>

const isId = [z.minimum(1), z.maximum(2_147_483_647)] as const
const GroupId = z.coerce.number().check(z.int('must be a group id'), ...isId)

const longestName = companyNameLength + ' Products'.length
export const GroupInput = z.object({ name: field(Name(longestName), { label: 'Group name' }) })

export const GroupDeletion = z.object({
  replacementGroupId: field(z.int('must be one of the other groups').check(...isId), { label: 'Replacement group' }),
})

// What edits are compared by: not the members, who come and go, nor the name, which a rename replaces.
const chosen = z.pick(Group, { products: true })

export const GroupProducts = z.object({
  productIds: field(
    z.array(z.int('must be a product id').check(...isId)).check(z.minLength(1, 'No products selected'), z.maxLength(1_000)),
    { label: 'Products' },
  ),
})

export type GroupProducts = z.infer<typeof GroupProducts>

/** Each of these permissions, in a role without limits, lets one choose a group's products. */

const base = '/api/lectern/group'
const params = z.object({ id: GroupId })

export const groupEndpoints = {
  listGroups: endpoint({
    method: 'GET',
    path: base,
    access: 'self',
    shows: ['groups', 'people'],
    summary: 'The groups of one’s organization; with members=counted how many members each has, in place of them',
    query: z.object({ members: z._default(z.enum(['listed', 'counted'], 'must be listed or counted'), 'listed') }),
    response: z.array(Group),
  }),
  createGroup: endpoint({
    method: 'POST',
    path: base,
    access: oneOf('manage:people'),
    changes: ['groups'],
    audit: 'createGroup',
    summary: 'Add a group to one’s organization',
    body: GroupInput,
    response: Group,
  }),
  getGroup: endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    access: 'self',
    shows: ['groups', 'people'],
    summary: 'A group of one’s organization (staff: any group)',
    params,
    response: Group,
    etag: chosen,
  }),
  deleteGroup: endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    access: provider('global:access:organizations'),
    changes: ['groups'],
    audit: 'deleteGroup',
    summary: 'Delete a group; its members and products move to the replacement',
    params,
    body: GroupDeletion,
  }),
  renameGroup: endpoint({
    method: 'PUT',
    path: `${base}/{id}/rename`,
    access: oneOf('manage:people', 'global:access:organizations'),
    changes: ['groups'],
    audit: 'renameGroup',
    summary: 'Rename a group of one’s organization (staff: any group)',
    params,
    body: GroupInput,
    response: Group,
  }),
  setGroupProducts: endpoint({
    method: 'PUT',
    path: `${base}/{id}/products`,
    access: oneOf(...productListPermissions, 'global:access:organizations'),
    changes: ['groups', 'registration'],
    audit: 'setGroupProducts',
    summary: 'Choose the products of a group of one’s organization (staff: of any group)',
    params,
    body: GroupProducts,
    response: Group,
    etag: chosen,
  }),
  joinGroup: endpoint({
    method: 'POST',
    path: `${base}/{id}/join`,
    access: 'self',
    limitedRole: 'everything',
    changes: ['groups', 'people', 'registration'],
    audit: 'joinGroup',
    summary: 'Join a group by an invitation; whoever may manage people joins any of their organization without one',
    params,
    body: z._default(z.object({ invitation: z.optional(z.string().check(z.maxLength(4_096))) }), {}),
    response: Group,
  }),
}
