import { sql } from 'kysely'
import type { Database } from './database.ts'
import { instant } from './rows.ts'

export async function sweepExpired(db: Database): Promise<void> {
  const yesterday = instant(sql`now() - interval '24 hours'`)
  await db.deleteFrom('event').where('created_at', '<', yesterday).execute()
  await db.deleteFrom('passkey_recovery').where('expires_at', '<', instant(sql`now()`)).execute()
  await db.deleteFrom('idempotency_key').where('created_at', '<', yesterday).execute()
}
