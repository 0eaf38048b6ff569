import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { lockPublications } from './sql.ts'

export async function updateAtOnce(db: Database, organizationId: number, ids: readonly string[]): Promise<void> {
  await lockPublications(db, organizationId, ids)
  await sql`
    update publication set at_once = true where organization_id = ${organizationId} and id = any(${ids}::uuid[]) and replaced_at is null`.execute(
    db,
  )
}

export async function updateStart(
  db: Database,
  organizationId: number,
  ids: readonly string[],
  { date, updateTime }: { date: string; updateTime: string },
): Promise<void> {
  await lockPublications(db, organizationId, ids)
  await sql`
    update publication set start_date = ${date}, update_time = ${updateTime}
    where organization_id = ${organizationId} and id = any(${ids}::uuid[]) and replaced_at is null`.execute(db)
}
