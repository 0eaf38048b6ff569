import { type Insertable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { integer, text } from '../lib/database/rows.ts'
import type { DB, SupportCase } from '../lib/database/schema.ts'
import { containsPattern } from '../lib/like.ts'
import type { CaseFilter, CasePart } from './desk.ts'

type Cases = SelectQueryBuilder<DB, 'support_case', object>

const lower = (value: string) => text(sql`lower(${value})`)

function matching(db: Database, { contactEmail, status, text: words }: CaseFilter): Cases {
  let cases: Cases = db.selectFrom('support_case')
  if (contactEmail !== undefined) cases = cases.where(sql`lower(contact_email)`, '=', lower(contactEmail))
  if (status !== undefined) cases = cases.where('status', '=', status)
  if (words !== '') cases = cases.where('search', 'like', lower(containsPattern(words)))
  return cases
}

export const selectCases = (db: Database, filter: CaseFilter, { offset, size }: CasePart) =>
  db
    .selectFrom('support_case')
    .select(['id', 'contact_email', 'status', 'created_at', 'subject'])
    // Reads columns of the index alone: cases before the page touch no table.
    .where('id', 'in', matching(db, filter).select('id').orderBy('id', 'desc').offset(offset).limit(size))
    .orderBy('id', 'desc')
    .execute()

export const countCases = async (db: Database, filter: CaseFilter): Promise<number> =>
  (await matching(db, filter).select(integer(sql`count(*)`).as('amount')).executeTakeFirstOrThrow()).amount

export const selectCase = (db: Database, id: number) => db.selectFrom('support_case').selectAll().where('id', '=', id)

export const insertCase = (db: Database, row: Insertable<SupportCase>) =>
  db.insertInto('support_case').values(row).returningAll().executeTakeFirstOrThrow()

export const updateCase = (db: Database, id: number, changes: Updateable<SupportCase>) =>
  db.updateTable('support_case').set(changes).where('id', '=', id).returningAll().executeTakeFirst()

export const deleteCase = async (db: Database, id: number): Promise<boolean> =>
  (await db.deleteFrom('support_case').where('id', '=', id).executeTakeFirst()).numDeletedRows === 1n

export const lockCase = (db: Database, id: string) => sql`select pg_advisory_xact_lock(hashtextextended(${`case ${id}`}, 0))`.execute(db)

export const selectVerifiedPeople = (db: Database, email: string, limit: number) =>
  db
    .selectFrom('user')
    .select(['id', 'email'])
    .where(sql`lower(email)`, '=', lower(email))
    .where('email_verified', '=', true)
    .orderBy('id')
    .limit(limit)
    .execute()
