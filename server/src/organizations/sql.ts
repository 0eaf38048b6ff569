import { shownGroups } from '@lectern/contract/organizations.ts'
import { type NotNull, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { integer, json, orNull, read, text } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import { containsPattern } from '../lib/like.ts'

export const selectOrganizationIds = (db: Database, publicId: string) =>
  db.selectFrom('organization').select(['id', 'public_id as publicId']).where('public_id', '=', publicId).executeTakeFirst()

export const selectOrganization = (db: Database, id: number) =>
  db.selectFrom('organization').select(['public_id', 'name', 'has_epic_data']).where('id', '=', id).executeTakeFirst()

const summaryColumns = ({ organizationId, zones }: ZoneScope) => ({
  name: orNull(text(sql`name`)),
  zones: integer(sql`select count(*) from zone where organization_id = ${organizationId} and ${isInZones({ zones }, sql`zone.id`)}`),
  readers: integer(sql`readers`),
  models: integer(sql`models`),
  simulated: integer(sql`simulated`),
})

export async function selectSummary(db: Database, scope: ZoneScope) {
  const id = scope.organizationId
  const [row] = await read(
    db,
    summaryColumns(scope),
    (list) => sql`
      select ${list} from organization, lateral (
        select coalesce(sum(total), 0) as readers, count(*) filter (where total > 0) as models, coalesce(sum(simulated), 0) as simulated
        from (select sum(total) as total, sum(simulated) as simulated from device_count
          where organization_id = ${id} and ${isInZones(scope, sql`zone_id`)} group by device_type) as model) as counts
      where id = ${id}`,
  )
  return row
}

export const selectOrganizationsByIdOrName = (db: Database, idOrName: string) =>
  db
    .selectFrom('organization')
    .select(['id', 'public_id'])
    .where((eb) => eb.or([eb('public_id', '=', idOrName), eb(eb.fn<string>('lower', ['name']), '=', idOrName.toLowerCase())]))
    .execute()

export const selectOrganizations = (db: Database) =>
  db.selectFrom('organization').select(['id', 'public_id', 'name']).orderBy('search_text').orderBy('public_id').execute()

export const selectOrganizationOfDomain = (db: Database, domain: string) =>
  db.selectFrom('organization').select(['id', 'name']).where('email_domain', '=', domain).executeTakeFirst()

export const selectPeople = (db: Database, organizationId: number) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['first_name', 'last_name', 'email'])
    .where('organization_id', '=', organizationId)
    .orderBy(sql`lower(last_name)`)
    .orderBy(sql`lower(first_name)`)
    .orderBy('email')

/** Returns undefined where the name or the domain is taken. */
export const insertOrganization = (
  db: Database,
  organization: { public_id: string; name: string; email_domain: string | null; registered_by: string },
) =>
  db
    .insertInto('organization')
    .values(organization)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()

/** Changes nothing where the organization has a domain, or another organization owns this one. */
export const updateDomain = (db: Database, registeredBy: string, domain: string) =>
  db
    .updateTable('organization')
    .set({ email_domain: domain })
    .where('registered_by', '=', registeredBy)
    .where('email_domain', 'is', null)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('organization as owner').select('owner.id').where('owner.email_domain', '=', domain))))
    .execute()

export const updateMark = (db: Database, id: number, hasEpicData: boolean) =>
  db.updateTable('organization').set({ has_epic_data: hasEpicData }).where('id', '=', id).execute()

export const selectDirectoryTotals = (db: Database) =>
  db.selectFrom('directory_count').select(['organizations', 'groups', 'members']).executeTakeFirstOrThrow()

// Lower case is the database's, as in `search_text`; JavaScript's differs.
const anywhere = (pattern: string) => text(sql`lower(${containsPattern(pattern)})`)

const matching = (db: Database, text: string) =>
  db.selectFrom('organization').$if(text !== '', (query) => query.where('search_text', 'like', anywhere(text)))

export const countMatching = (db: Database, text: string) =>
  matching(db, text).select(integer(sql`count(*)`).as('amount')).executeTakeFirstOrThrow()

export const selectDirectoryPage = (db: Database, text: string, page: { offset: number; size: number }) =>
  db
    .with('page', () =>
      matching(db, text)
        // Reads columns of the index alone, so that rows before the page are not read from the table.
        .select(['public_id', 'search_text'])
        .orderBy('search_text')
        .orderBy('public_id')
        .offset(page.offset)
        .limit(page.size),
    )
    .selectFrom('page')
    .innerJoin('organization', 'organization.public_id', 'page.public_id')
    .select(['page.public_id', 'organization.name', 'organization.has_epic_data'])
    .select(({ selectFrom }) =>
      selectFrom(({ selectFrom: from }) =>
        from('group')
          .select(['group.id', 'group.name', 'group.member_count'])
          .whereRef('group.organization_id', '=', 'organization.id')
          .orderBy('group.id')
          .limit(shownGroups + 1)
          .as('first'),
      )
        .select(
          json<{ gid: number; name: string; memberCount: number }[]>(sql`coalesce(json_agg(json_build_object(
            'gid', id, 'name', name, 'memberCount', member_count) order by id), '[]')`).as('groups'),
        )
        .as('groups'),
    )
    .$narrowType<{ groups: NotNull }>()
    .orderBy('page.search_text')
    .orderBy('page.public_id')
    .execute()

export const selectAfter = (
  db: Database,
  text: string,
  after: { search_text: string | null; public_id: string } | undefined,
  limit: number,
) =>
  matching(db, text)
    .select(['id', 'public_id', 'name', 'has_epic_data', 'search_text'])
    .$if(after !== undefined, (query) => query.where(sql<boolean>`(search_text, public_id) > (${after?.search_text}, ${after?.public_id})`))
    .orderBy('search_text')
    .orderBy('public_id')
    .limit(limit)
    .execute()
