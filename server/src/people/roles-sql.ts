import { type BuiltInRole, builtInRoles } from '@lectern/contract/people/roles.ts'
import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { instant, integer, text } from '../lib/database/rows.ts'

// A role as members and invitations name it: one of the two is null.
export interface RoleKey {
  built_in_role: BuiltInRole | null
  role_id: string | null
}

// Of the role that `owner`, a table with both columns, names; `role` is joined. Null where it names none.
export const roleName = (owner: string) => {
  const column = sql.ref(`${owner}.built_in_role`)
  const names = Object.entries(builtInRoles).map(([key, { name }]) => sql`when ${sql.lit(key)} then ${sql.lit(name)}`)
  return sql`coalesce(role.name, case ${column} ${sql.join(names, sql` `)} end)`
}

const ownRoles = (db: Database, organizationId: number) =>
  db
    .selectFrom('role')
    .select(['id', 'name', 'permissions'])
    .select((eb) =>
      eb
        .selectFrom('member')
        .select(integer(sql`count(*)`).as('members'))
        .whereRef('member.organization_id', '=', 'role.organization_id')
        .whereRef('member.role_id', '=', 'role.id')
        .as('members'),
    )
    .where('role.organization_id', '=', organizationId)

export const selectRoles = (db: Database, organizationId: number) =>
  ownRoles(db, organizationId).orderBy(sql`lower(name)`).orderBy('id').execute()

export const selectRole = (db: Database, organizationId: number, id: string) =>
  ownRoles(db, organizationId).where('role.id', '=', id).executeTakeFirst()

export const countBuiltIn = (db: Database, organizationId: number) =>
  db
    .selectFrom('member')
    .select([text<BuiltInRole>(sql`built_in_role`).as('role'), integer(sql`count(*)`).as('members')])
    .where('organization_id', '=', organizationId)
    .where('built_in_role', 'is not', null)
    .groupBy('built_in_role')
    .execute()

export const countOpenInvitationsOfRole = (db: Database, organizationId: number, id: string) =>
  db
    .selectFrom('invitation')
    .select(integer(sql`count(*)`).as('amount'))
    .where('organization_id', '=', organizationId)
    .where('role_id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', instant(sql`now()`))
    .executeTakeFirstOrThrow()

export const deleteClosedInvitationsOfRole = (db: Database, organizationId: number, id: string) =>
  db.deleteFrom('invitation').where('organization_id', '=', organizationId).where('role_id', '=', id).execute()

export const insertRole = (db: Database, role: { organization_id: number; id: string; name: string; permissions: string[] }) =>
  db.insertInto('role').values(role).execute()

export const updateRole = (db: Database, organizationId: number, id: string, changes: { name: string; permissions: string[] }) =>
  db.updateTable('role').set(changes).where('organization_id', '=', organizationId).where('id', '=', id).execute()

export const deleteRole = (db: Database, organizationId: number, id: string) =>
  db.deleteFrom('role').where('organization_id', '=', organizationId).where('id', '=', id).execute()
