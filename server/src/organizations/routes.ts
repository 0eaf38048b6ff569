import type { GroupMember } from '@lectern/contract/groups.ts'
import { pageSizes } from '@lectern/contract/http/paging.ts'
import type { Organization, OrganizationSummary } from '@lectern/contract/organizations.ts'
import { shownGroups } from '@lectern/contract/organizations.ts'
import { recordChange } from '../audit/audit.ts'
import { listGroups, toGroup } from '../groups/groups.ts'
import { databaseTime, streamRows } from '../lib/database/cursor.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import { notFound } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { findOrganization } from './organizations.ts'
import {
  countMatching,
  selectAfter,
  selectDirectoryPage,
  selectDirectoryTotals,
  selectOrganization,
  selectPeople,
  selectSummary,
  updateMark,
} from './sql.ts'

export const organizationRoutes = {
  getOrganization: ({ db, params }) => getOrganization(db, params.organizationId),
  getOrganizationSummary: async ({ db, params }) => getSummary(db, params),
  listOrganizationUsers: async ({ db, params }) => streamPeople(db, params.organizationId),
  listAllOrganizations: async ({ db, query: { PageNumber, PageSize, textFilter } }) => {
    const text = textFilter.trim()
    if (PageNumber === undefined && PageSize === undefined) return streamOrganizations(db, text)
    const [pageNumber, pageSize] = [PageNumber ?? 0, PageSize ?? pageSizes[0]]
    const rows = await selectDirectoryPage(db, text, { offset: pageNumber * pageSize, size: pageSize })
    const totalCount = text === '' ? (await selectDirectoryTotals(db)).organizations : (await countMatching(db, text)).amount
    const organizationList = rows.map(({ public_id, name, has_epic_data, groups }) => ({
      id: public_id,
      name,
      hasEpicData: has_epic_data,
      groups: groups.slice(0, shownGroups),
      hasMoreGroups: groups.length > shownGroups,
    }))
    return { organizationList, pageNumber, pageSize, totalCount }
  },
  getDirectoryTotals: ({ db }) => selectDirectoryTotals(db),
  markOrganization: async ({ db, actor, params, body }) => {
    const organization = await findOrganization(db, params.organization)
    if (!organization) throw notFound()
    await updateMark(db, organization.id, body.hasEpicData)
    await recordChange(db, actor, {
      organization_id: organization.id,
      change_type: 'markOrganization',
      new_value: String(body.hasEpicData),
    })
    return getOrganization(db, organization.id)
  },
} satisfies Partial<Handlers>

async function getSummary(db: Database, scope: ZoneScope): Promise<OrganizationSummary> {
  const summary = await selectSummary(db, scope)
  if (!summary) throw notFound()
  const { simulated, ...counts } = summary
  return { ...counts, ...(simulated > 0 && { simulated }) }
}

async function getOrganization(db: Database, id: number): Promise<Organization> {
  const organization = await selectOrganization(db, id)
  if (!organization) throw notFound()
  const { public_id, name, has_epic_data } = organization
  return { id: public_id, name, hasEpicData: has_epic_data, groups: (await listGroups(db, id)).map(toGroup) }
}

async function* streamPeople(db: Database, organizationId: number): AsyncGenerator<GroupMember> {
  for await (const { first_name, last_name, email } of streamRows(db, selectPeople(db, organizationId)))
    yield { firstName: first_name ?? '', lastName: last_name ?? '', email }
}

const batchSize = 100

export async function* streamOrganizations(db: Database, text: string, mostMs?: number): AsyncGenerator<Organization> {
  const time = databaseTime(mostMs)
  let rows = await time.spend(() => selectAfter(db, text, undefined, batchSize))
  while (rows.length > 0) {
    const ids = rows.map(({ id }) => id)
    const groups = Map.groupBy(await time.spend(() => listGroups(db, ...ids)), ({ organization_id }) => organization_id)
    for (const { id, public_id, name, has_epic_data } of rows)
      yield { id: public_id, name, hasEpicData: has_epic_data, groups: (groups.get(id) ?? []).map(toGroup) }
    const last = rows.at(-1)
    rows = rows.length < batchSize ? [] : await time.spend(() => selectAfter(db, text, last, batchSize))
  }
}
