import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database.ts'

/** A person's row with the organizations they belong to, oldest membership first. */
export const selectPerson = (db: Database, issuer: string, subject: string) =>
  db
    .selectFrom('user')
    .select(['id', 'email', 'email_verified'])
    .select((eb) =>
      eb
        .selectFrom('member')
        .select(sql<string[]>`coalesce(array_agg(organization_id order by joined_at, organization_id), '{}')`.as('ids'))
        .whereRef('member.user_id', '=', 'user.id')
        .as('organizations'),
    )
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()

/** Adds a person, or brings the e-mail of a known one up to date. */
export const upsertUser = (db: Database, user: { issuer: string; subject: string; email: string; email_verified: boolean }) =>
  db
    .insertInto('user')
    .values({ id: uuidv7(), ...user })
    .onConflict((conflict) =>
      conflict.columns(['issuer', 'subject']).doUpdateSet({ email: user.email, email_verified: user.email_verified }),
    )
    .execute()

/** The person's profile. */
export const selectProfile = (db: Database, userId: string) =>
  db.selectFrom('user').select(['first_name', 'last_name', 'phone', 'country_code']).where('id', '=', userId).executeTakeFirstOrThrow()

/** The person's group in an organization, with its products. */
export const selectGroupOf = (db: Database, userId: string, organizationId: string) =>
  db
    .selectFrom('member')
    .innerJoin('group', 'group.id', 'member.group_id')
    .select(['group.id as gid', 'group.name'])
    .select((eb) =>
      eb
        .selectFrom('group_product')
        .select(sql<number[]>`coalesce(array_agg(product_id order by product_id), '{}')`.as('ids'))
        .whereRef('group_product.group_id', '=', 'group.id')
        .as('products'),
    )
    .where('member.user_id', '=', userId)
    .where('member.organization_id', '=', organizationId)
    .executeTakeFirst()
