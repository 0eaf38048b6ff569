import type { Database } from '../lib/database/database.ts'
import { insertEvents, type NewEvent, notifyEvent, notifyServers } from './sql.ts'

export const emitEvent = (db: Database, event: NewEvent): Promise<void> => emitEvents(db, [event])

export async function emitEvents(db: Database, events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0) await insertEvents(db, events)
}

/** Lets the hosts of zones fetch what their readers must run. `zones`: public ids; null: of a deleted zone, in which no host is. */
export const emitDesired = (db: Database, organizationId: number, zones: Iterable<string | null>): Promise<void> =>
  emitEvents(
    db,
    [...zones].map((zone_id) => ({ organization_id: organizationId, zone_id, kind: 'desired' })),
  )

/** Notifies every listener of progress in a zone when the transaction commits. It is not stored, as it is frequent and soon of no use. */
export async function notifyProgress(db: Database, { organizationId, zoneId }: { organizationId: number; zoneId: string }): Promise<void> {
  await notifyEvent(db, { organizationId, zoneId, kind: 'progress' })
}

export const sendEcho = (db: Database, payload: string) => notifyServers(db, payload)
