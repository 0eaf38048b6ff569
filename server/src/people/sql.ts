import type { MemberColumn, MemberQuery } from '@lectern/contract/people/people.ts'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { cleanAddress } from '../lib/address.ts'
import type { Database } from '../lib/database/database.ts'
import { instant, integer, text } from '../lib/database/rows.ts'
import { containsPattern } from '../lib/like.ts'
import { type RoleKey, roleName } from './roles-sql.ts'

// Keeps other calls from changing the organization's people until the end of the transaction.
export const lockOrganization = (db: Database, organizationId: number) =>
  db.selectFrom('organization').select(['id', 'name']).where('id', '=', organizationId).forNoKeyUpdate().executeTakeFirst()

const membership = (db: Database, organizationId: number, userId: string) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .leftJoin('role', (join) => join.onRef('role.organization_id', '=', 'member.organization_id').onRef('role.id', '=', 'member.role_id'))
    .where('member.organization_id', '=', organizationId)
    .where('member.user_id', '=', userId)

export const selectMembership = (db: Database, organizationId: number, userId: string) =>
  membership(db, organizationId, userId)
    .select(['user.email', 'member.built_in_role', 'member.role_id', 'member.group_id', 'role.permissions', 'role.is_limited'])
    .executeTakeFirst()

const memberRows = (db: Database, organizationId: number) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .innerJoin('group', (join) =>
      join.onRef('group.organization_id', '=', 'member.organization_id').onRef('group.id', '=', 'member.group_id'),
    )
    .leftJoin('role', (join) => join.onRef('role.organization_id', '=', 'member.organization_id').onRef('role.id', '=', 'member.role_id'))
    .where('member.organization_id', '=', organizationId)

const memberColumns = (rows: ReturnType<typeof memberRows>) =>
  rows
    .select([
      'user.id',
      'user.first_name',
      'user.last_name',
      'user.email',
      'member.built_in_role',
      'member.role_id',
      'role.name as role_name',
    ])
    .select(['group.id as group_id', 'group.name as group_name', 'member.joined_at', 'member.last_active_at'])

export type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number]

const fullName = sql`lower(coalesce(nullif(trim(concat_ws(' ', "user".first_name, "user".last_name)), ''), "user".email))`

const order: Record<MemberColumn, RawBuilder<unknown>> = {
  Name: fullName,
  Address: sql`lower("user".email)`,
  Role: sql`lower(${roleName('member')})`,
  Group: sql`lower("group".name)`,
  Joined: sql`member.joined_at`,
  LastActivity: sql`member.last_active_at`,
}

const matching = (rows: ReturnType<typeof memberRows>, textFilter: string) =>
  textFilter
    .split(/\s+/)
    .filter((word) => word !== '')
    .reduce(
      (found, word) =>
        found.where(
          sql<SqlBool>`lower(concat_ws(' ', "user".first_name, "user".last_name, "user".email, "group".name, ${roleName('member')}))
            like lower(${containsPattern(word)})`,
        ),
      rows,
    )

/** Members who were never active are last in both directions. */
export function selectMembers(db: Database, organizationId: number, query: MemberQuery) {
  const { textFilter, ColumnName, Direction, PageNumber, PageSize } = query
  const direction = sql.raw(Direction === 'Ascending' ? 'asc' : 'desc')
  return memberColumns(matching(memberRows(db, organizationId), textFilter))
    .orderBy(sql`${order[ColumnName]} ${direction} nulls last`)
    .orderBy(fullName)
    .orderBy('user.id')
    .offset(PageNumber * PageSize)
    .limit(PageSize)
    .execute()
}

export const countMembers = (db: Database, organizationId: number, textFilter: string) =>
  matching(memberRows(db, organizationId), textFilter).select(integer(sql`count(*)`).as('amount')).executeTakeFirstOrThrow()

export const selectMember = (db: Database, organizationId: number, userId: string) =>
  memberColumns(memberRows(db, organizationId)).where('member.user_id', '=', userId).executeTakeFirst()

export const selectMembersByEmail = (db: Database, organizationId: number, email: string) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select('user.id')
    .where('member.organization_id', '=', organizationId)
    .where(sql`lower("user".email)`, '=', cleanAddress(email).toLowerCase())
    .execute()

/** Managers first, then others who may manage people; in each group by how long they are members. */
export const selectManagers = (db: Database, organizationId: number, limit: number) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .leftJoin('role', (join) => join.onRef('role.organization_id', '=', 'member.organization_id').onRef('role.id', '=', 'member.role_id'))
    .select([text(sql`trim(concat_ws(' ', "user".first_name, "user".last_name))`).as('name'), 'user.email'])
    .where('member.organization_id', '=', organizationId)
    .where(sql<SqlBool>`(member.built_in_role = 'manager' or 'manage:people' = any(role.permissions))`)
    .orderBy(sql`member.built_in_role = 'manager' desc nulls last`)
    .orderBy('member.joined_at')
    .orderBy('member.user_id')
    .limit(limit)
    .execute()

export const countManagers = (db: Database, organizationId: number) =>
  db
    .selectFrom('member')
    .select(integer(sql`count(*)`).as('amount'))
    .where('organization_id', '=', organizationId)
    .where('built_in_role', '=', 'manager')
    .executeTakeFirstOrThrow()

export const countPending = (db: Database, organizationId: number) =>
  db
    .selectFrom('member')
    .select(integer(sql`count(*)`).as('amount'))
    .where('organization_id', '=', organizationId)
    .where('built_in_role', 'is', null)
    .where('role_id', 'is', null)
    .executeTakeFirstOrThrow()

export const selectLongestMember = (db: Database, organizationId: number) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['user.id', 'user.email'])
    .where('organization_id', '=', organizationId)
    .orderBy('joined_at')
    .orderBy('user_id')
    .executeTakeFirstOrThrow()

export const insertMember = (db: Database, member: RoleKey & { organization_id: number; group_id: number; user_id: string }) =>
  db
    .insertInto('member')
    .values({ ...member, last_active_at: instant(sql`now()`) })
    .execute()

interface MemberKey {
  organization_id: number
  user_id: string
}

export const updateMember = (db: Database, member: MemberKey, changes: RoleKey | { group_id: number }) =>
  db
    .updateTable('member')
    .set(changes)
    .where('organization_id', '=', member.organization_id)
    .where('user_id', '=', member.user_id)
    .execute()

export const deleteMember = (db: Database, member: MemberKey) =>
  db.deleteFrom('member').where('organization_id', '=', member.organization_id).where('user_id', '=', member.user_id).execute()

export const updateActivity = (db: Database, member: MemberKey) =>
  db
    .updateTable('member')
    .set({ last_active_at: instant(sql`now()`) })
    .where('organization_id', '=', member.organization_id)
    .where('user_id', '=', member.user_id)
    .where(isQuiet)
    .execute()

const isQuiet = sql<SqlBool>`(last_active_at is null or last_active_at < now() - interval '5 minutes')`

export const selectGroupName = (db: Database, organizationId: number, id: number) =>
  db.selectFrom('group').select('name').where('organization_id', '=', organizationId).where('id', '=', id).executeTakeFirst()

export const updateActiveOrganization = (db: Database, userId: string, organizationId: number) =>
  db.updateTable('user').set({ active_organization_id: organizationId }).where('id', '=', userId).execute()

export const selectOwnOrganizations = (db: Database, userId: string, organizationIds: readonly number[]) =>
  db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organization_id')
    .leftJoin('role', (join) => join.onRef('role.organization_id', '=', 'member.organization_id').onRef('role.id', '=', 'member.role_id'))
    .select(['member.organization_id', 'organization.name', 'member.built_in_role', 'member.role_id', 'role.name as role_name'])
    .where(sql<SqlBool>`member.organization_id = any(${organizationIds})`)
    .where('member.user_id', '=', userId)
    .execute()
