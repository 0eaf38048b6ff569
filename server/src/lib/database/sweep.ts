import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Forgets what is kept for a day only: events and the answers of idempotent writes. */
export async function sweepKept(db: Database): Promise<void> {
  const yesterday = sql<Date>`now() - interval '24 hours'`
  await db.deleteFrom('event').where('created_at', '<', yesterday).execute()
  await db.deleteFrom('idempotency_key').where('created_at', '<', yesterday).execute()
}
