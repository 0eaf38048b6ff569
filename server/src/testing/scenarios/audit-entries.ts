import type { ChangeType } from '@lectern/contract/audit/changes.ts'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../../lib/database/database.ts'

export interface NewEntry {
  /** An instant; absent: now. */
  at?: string
  type?: ChangeType | 'somethingNew'
  by?: { userId: string; email: string } | null
  name?: string
  target?: string
  newValue?: string
  zone?: string
  version?: string
  config?: string
  serial?: string
  simulated?: boolean
}

/** Returns the ids. */
export async function insertEntries(db: Database, log: number, entries: readonly NewEntry[]): Promise<string[]> {
  const rows = entries.map(({ at, type = 'ZoneCreate', by = null, ...entry }) => ({
    id: uuidv7(),
    organization_id: log,
    ...(at !== undefined && { in_effect_since: new Date(at) }),
    change_type: type,
    initiator_id: by?.userId ?? null,
    initiator_email: by?.email ?? null,
    initiator_name: entry.name ?? null,
    target: entry.target ?? null,
    new_value: entry.newValue ?? null,
    zone_name: entry.zone ?? null,
    version: entry.version ?? null,
    config_name: entry.config ?? null,
    device_serial: entry.serial ?? null,
    simulated: entry.simulated ?? false,
    address: '203.0.113.7',
    request_id: 'request',
  }))
  if (rows.length > 0) await db.insertInto('audit_entry').values(rows).execute()
  return rows.map(({ id }) => id)
}
