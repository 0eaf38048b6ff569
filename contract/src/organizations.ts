import * as z from 'zod/mini'
import { Group, GroupMember } from './groups.ts'
import { endpoint, organization, provider } from './http/endpoint.ts'
import { OptionalPaging, PageFacts } from './http/paging.ts'
import { Text } from './text/text.ts'

/** `name`: null until registration is complete (spec §3). */
export const Organization = z.object({
  id: z.string(),
  name: z.nullable(z.string()),
  groups: z.array(Group),
  hasEpicData: z.boolean(),
})
export type Organization = z.infer<typeof Organization>

/**
 * For the header of a page. `readers`: those that host PCs report. `models`: how many models these are. `simulated`: how many are
 * simulated.
 */
export const OrganizationSummary = z.object({
  name: z.nullable(z.string()),
  zones: z.int(),
  readers: z.int(),
  models: z.int(),
  simulated: z.optional(z.int()),
})
export type OrganizationSummary = z.infer<typeof OrganizationSummary>

export const OrganizationEntry = z.object({
  id: z.string(),
  name: z.nullable(z.string()),
  hasEpicData: z.boolean(),
  groups: z.array(z.object({ gid: z.int(), name: z.string(), memberCount: z.int() })),
  hasMoreGroups: z.boolean(),
})
export type OrganizationEntry = z.infer<typeof OrganizationEntry>

export const shownGroups = 12

export const OrganizationPage = z.object({ organizationList: z.array(OrganizationEntry), ...PageFacts })
export type OrganizationPage = z.infer<typeof OrganizationPage>

const DirectoryTotals = z.object({ organizations: z.int(), groups: z.int(), members: z.int() })

const admin = '/api/lectern/admin/organizations'
const staff = provider('global:access:organizations')

export const organizationEndpoints = {
  getOrganization: endpoint({
    method: 'GET',
    path: '/api/lectern/organization/{organizationId}',
    access: organization(),
    shows: ['groups', 'organizations', 'people'],
    summary: 'An organization with its groups and their members',
    response: Organization,
  }),
  getOrganizationSummary: endpoint({
    method: 'GET',
    path: '/api/codedm/organization/{organizationId}/summary',
    access: organization(),
    limitedRole: 'zones',
    shows: ['devices', 'organizations', 'zones'],
    summary: 'The name of an organization, and how many zones, readers and models it has',
    response: OrganizationSummary,
  }),
  listOrganizationUsers: endpoint({
    method: 'GET',
    path: '/api/lectern/organization/{organizationId}/users',
    access: organization(),
    shows: ['people'],
    summary: 'The people of an organization, whole; one such list at a time of an account, two of an organization',
    response: z.array(GroupMember),
    whole: GroupMember,
  }),
  listAllOrganizations: endpoint({
    method: 'GET',
    path: admin,
    access: staff,
    shows: ['groups', 'organizations', 'people'],
    summary: 'All organizations with their groups: whole, or a page by name when paging is asked for',
    query: z.extend(OptionalPaging, { textFilter: z._default(Text(200), '') }),
    response: OrganizationPage,
    whole: Organization,
  }),
  getDirectoryTotals: endpoint({
    method: 'GET',
    path: `${admin}/totals`,
    access: staff,
    shows: ['groups', 'organizations', 'people'],
    summary: 'How many organizations, groups and members there are',
    response: DirectoryTotals,
  }),
  markOrganization: endpoint({
    method: 'PUT',
    path: `${admin}/{organization}`,
    access: staff,
    changes: ['organizations'],
    audit: 'markOrganization',
    summary: 'Mark whether an organization has Epic data',
    body: z.object({ hasEpicData: z.boolean() }),
    response: Organization,
  }),
}
