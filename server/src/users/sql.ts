import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import { prepared } from '../lib/database/prepared.ts'
import { float, json } from '../lib/database/rows.ts'
import type { OrganizationIds } from '../lib/http/caller.ts'

export const selectPerson = (db: Database, issuer: string, subject: string) =>
  db
    .selectFrom('user')
    .select(['id', 'email', 'email_verified'])
    .select(float(sql`extract(epoch from now() - email_checked_at)`).as('checked_seconds_ago'))
    .select((eb) =>
      eb
        .selectFrom('member')
        .innerJoin('organization', 'organization.id', 'member.organization_id')
        .select(
          json<OrganizationIds[]>(sql`coalesce(
            json_agg(json_build_object('id', organization.id, 'publicId', public_id) order by joined_at, public_id), '[]')`).as('ids'),
        )
        .whereRef('member.user_id', '=', 'user.id')
        .as('organizations'),
    )
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .modifyEnd(prepared)
    .executeTakeFirst()

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
