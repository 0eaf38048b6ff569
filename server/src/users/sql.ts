import type { BuiltInRole } from '@lectern/contract/people/roles.ts'
import { type SqlBool, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import { prepared } from '../lib/database/prepared.ts'
import { float, json } from '../lib/database/rows.ts'
import { zonesOfRole } from '../lib/database/zone-scope.ts'
import type { OrganizationIds } from '../lib/http/caller.ts'

interface MembershipRow extends OrganizationIds {
  builtIn: BuiltInRole | null
  own: string[] | null
  zones: number[] | null
  isQuiet: boolean
  requiresPasskeys: boolean
}

const ownZones = sql`case when role.is_limited then (select coalesce(json_agg(zone_id order by zone_id), '[]') from ${zonesOfRole} as covered) end`

const selectKnown = (db: Database) =>
  db
    .selectFrom('user')
    .select(['id', 'email', 'email_verified', 'active_organization_id', 'subject'])
    .select(float(sql`extract(epoch from now() - email_checked_at)`).as('checked_seconds_ago'))
    .select((eb) =>
      eb
        .selectFrom('member')
        .innerJoin('organization', 'organization.id', 'member.organization_id')
        .leftJoin('role', (join) =>
          join.onRef('role.organization_id', '=', 'member.organization_id').onRef('role.id', '=', 'member.role_id'),
        )
        .select(
          json<MembershipRow[]>(sql`coalesce(json_agg(json_build_object('id', organization.id, 'publicId', public_id,
            'builtIn', built_in_role, 'own', permissions, 'requiresPasskeys', requires_passkeys, 'zones', ${ownZones},
            'isQuiet', last_active_at is null or last_active_at < now() - interval '5 minutes') order by joined_at, public_id), '[]')`).as(
            'ids',
          ),
        )
        .whereRef('member.user_id', '=', 'user.id')
        .as('organizations'),
    )

export const selectPerson = (db: Database, issuer: string, subject: string) =>
  selectKnown(db).where('issuer', '=', issuer).where('subject', '=', subject).modifyEnd(prepared).executeTakeFirst()

export const selectPeople = (db: Database, issuer: string, subjects: readonly string[]) =>
  selectKnown(db).where('issuer', '=', issuer).where(sql<SqlBool>`subject = any(${subjects}::text[])`).modifyEnd(prepared).execute()

export const upsertUser = (db: Database, user: { issuer: string; subject: string; email: string; email_verified: boolean }) =>
  db
    .insertInto('user')
    .values({ id: uuidv7(), ...user })
    .onConflict((conflict) =>
      conflict.columns(['issuer', 'subject']).doUpdateSet({ email: user.email, email_verified: user.email_verified }),
    )
    .execute()

export const updateEmailChecked = (db: Database, userId: string) =>
  db.updateTable('user').set({ email_checked_at: sql`now()` }).where('id', '=', userId).execute()

export const selectProfile = (db: Database, userId: string) =>
  db.selectFrom('user').select(['first_name', 'last_name', 'phone', 'country_code']).where('id', '=', userId).executeTakeFirstOrThrow()

export const updateProfile = (
  db: Database,
  userId: string,
  profile: { first_name?: string; last_name?: string; phone?: string; country_code?: string },
) =>
  db
    .updateTable('user')
    .set({ id: userId, ...profile })
    .where('id', '=', userId)
    .execute()
