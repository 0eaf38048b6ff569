import type { Database } from '../lib/database.ts'

/**
 * Tells every listener, once the transaction commits, that something changed.
 * Kinds: `desired` (what a zone's readers shall run), `zones`, `hosts`.
 */
export async function tellEvent(
  db: Database,
  event: { organization_id: string; zone_id: string | null; kind: 'desired' | 'zones' | 'hosts' },
): Promise<void> {
  await db.insertInto('event').values(event).execute()
}
