import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'

export interface NewEvent {
  organization_id: number
  zone_id: string | null
  /** `desired`: what a zone's readers must run. */
  kind: 'desired' | 'zones' | 'hosts'
}

export const insertEvents = (db: Database, events: readonly NewEvent[]) => db.insertInto('event').values(events).execute()

export const notifyEvent = (db: Database, event: { organizationId: number; zoneId: string; kind: string }) =>
  notifyServers(db, JSON.stringify({ id: 0, ...event }))

export const notifyServers = (db: Database, payload: string) => sql`select pg_notify('lectern_events', ${payload})`.execute(db)
