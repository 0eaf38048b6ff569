import { type BuiltInRole, builtInRoles } from '@lectern/contract/people/roles.ts'
import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { instant, integer, json, orNull, text, texts } from '../lib/database/rows.ts'
import { zonesOfRole } from '../lib/database/zone-scope.ts'

// A role as members and invitations have it: either a built-in one or the organization's own; the other is null.
export interface RoleKey {
  built_in_role: BuiltInRole | null
  role_id: string | null
}

// SQL: the name of the role in `owner`, a table with both columns; `role` is the joined table. Null where there is none.
export const roleName = (owner: string) => {
  const column = sql.ref(`${owner}.built_in_role`)
  const names = Object.entries(builtInRoles).map(([key, { name }]) => sql`when ${sql.lit(key)} then ${sql.lit(name)}`)
  return sql`coalesce(role.name, case ${column} ${sql.join(names, sql` `)} end)`
}

// SQL: the permissions of the role in `owner`; `role` is the name of the joined table. Empty where there is none.
export const selectedPermissions = (owner: string, role: string) => {
  const permissions = Object.entries(builtInRoles).map(
    ([key, builtIn]) => sql`when ${sql.lit(key)} then ${sql.lit(`{${builtIn.permissions.join(',')}}`)}::text[]`,
  )
  return sql`coalesce(${sql.ref(`${role}.permissions`)}, case ${sql.ref(`${owner}.built_in_role`)} ${sql.join(permissions, sql` `)} end, '{}')`
}

const chosenZones = sql`case when role.is_limited then (
  select coalesce(json_agg(json_build_object('id', zone.public_id, 'name', zone.name) order by lower(zone.name)), '[]') from role_zone
  join zone on zone.organization_id = role_zone.organization_id and zone.id = role_zone.zone_id
  where role_zone.organization_id = role.organization_id and role_zone.role_id = role.id) end`

const chosenTags = sql`array(
  select tag.name from role_tag join tag on tag.organization_id = role_tag.organization_id and tag.id = role_tag.tag_id
  where role_tag.organization_id = role.organization_id and role_tag.role_id = role.id order by lower(tag.name))`

const ownRoles = (db: Database, organizationId: number) =>
  db
    .selectFrom('role')
    .select([
      'id',
      'name',
      'permissions',
      orNull(json<{ id: string; name: string }[]>(chosenZones)).as('zones'),
      texts(chosenTags).as('tags'),
    ])
    .select(integer(sql`case when role.is_limited then (select count(*) from ${zonesOfRole} as covered) else 0 end`).as('zone_count'))
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

export const countRoles = (db: Database, organizationId: number) =>
  db.selectFrom('role').select(integer(sql`count(*)`).as('amount')).where('organization_id', '=', organizationId).executeTakeFirstOrThrow()

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

interface RoleValues {
  name: string
  permissions: string[]
  is_limited: boolean
}

export const insertRole = (db: Database, role: RoleValues & { organization_id: number; id: string }) =>
  db.insertInto('role').values(role).execute()

export const updateRole = (db: Database, organizationId: number, id: string, changes: RoleValues) =>
  db.updateTable('role').set(changes).where('organization_id', '=', organizationId).where('id', '=', id).execute()

export const deleteRole = (db: Database, organizationId: number, id: string) =>
  db.deleteFrom('role').where('organization_id', '=', organizationId).where('id', '=', id).execute()
