import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'

/**
 * Tells every listener, once the transaction commits, that something changed.
 * Kinds: `desired` (what a zone's readers shall run), `zones`, `hosts`.
 */
export async function emitEvent(
  db: Database,
  event: { organization_id: string; zone_id: string | null; kind: 'desired' | 'zones' | 'hosts' },
): Promise<void> {
  await db.insertInto('event').values(event).execute()
}

/** Tells every listener, once the transaction commits, that readers of a zone came further. It comes often and means nothing later, so none is kept. */
export async function notifyProgress(db: Database, { organizationId, zoneId }: { organizationId: string; zoneId: string }): Promise<void> {
  await sql`select pg_notify('lectern_events', ${JSON.stringify({ id: 0, organizationId, zoneId, kind: 'progress' })})`.execute(db)
}
