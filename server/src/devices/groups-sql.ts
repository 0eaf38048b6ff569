import type { DeviceColumn } from '@lectern/contract/devices/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import { isInZones } from '../lib/database/zone-scope.ts'
import type { Reading } from './order-sql.ts'
import { type Metric, rowColumns } from './sql.ts'

// What readers are read by for some columns' order: their zones, hosts or firmware.
export interface Groups {
  table: RawBuilder<unknown>
  key: RawBuilder<unknown>
  reference: RawBuilder<unknown>
  isUnique?: boolean
  /** SQL conditions for members that may have readers to show; absent where that is not known. */
  mayHave?: (reading: Reading) => RawBuilder<boolean>[]
  ofMember?: (reading: Reading) => RawBuilder<boolean>[]
}

// By tile, the mark of hosts. A host without it has no reader on the tile that was seen together with it.
const hostMarks: Record<Metric, string> = {
  offline: 'readers_offline',
  low_battery: 'has_low_battery',
  warranty_due: 'has_warranty_due',
  drifted: 'has_drifted',
}

export const groups: Partial<Record<DeviceColumn, Groups>> = {
  Location: {
    table: sql`zone`,
    key: sql`lower(name)`,
    reference: sql`d.zone_id`,
    isUnique: true,
    mayHave: ({ shown }) => [isInZones(shown, sql`id`)],
  },
  Host: { table: sql`host`, key: sql`lower(name)`, reference: sql`d.host_id`, mayHave: ({ shown }) => [isInZones(shown, sql`zone_id`)] },
  DeviceFirmwareVersion: { table: sql`reported_firmware`, key: sql`version_sort`, reference: sql`d.firmware_id`, mayHave: hasReaders },
  LastSeen: {
    table: sql`host`,
    key: sql`readers_seen_at`,
    reference: sql`d.host_id`,
    ofMember: areSeenWithHost,
    mayHave: ({ shown }) => [
      isInZones(shown, sql`zone_id`),
      ...(shown.metric === undefined ? [] : [sql<boolean>`${sql.ref(hostMarks[shown.metric])}`]),
    ],
  },
}

// Whether a reader's time is its host's. Readers before the page are read from indexes alone, which have only a reader's own time.
function areSeenWithHost({ shown: { organizationId }, picked }: Reading): RawBuilder<boolean>[] {
  if (picked === rowColumns) return [sql`d.last_seen_at is null`]
  const own = sql`select own.id from device own where own.organization_id = ${organizationId} and own.host_id = g.id and own.last_seen_at is not null`
  return [sql`d.id <> all(array(${own}))`]
}

// A page far in the list asks all members: for the few that would remain PostgreSQL would choose a plan that reads too much.
function hasReaders({ shown: { organizationId, metric }, start }: Reading): RawBuilder<boolean>[] {
  if (start?.place) return []
  const count = sql`sum(${sql.ref(metric ?? 'total')})`
  return [
    sql`id = any(array(select firmware_id from firmware_total where organization_id = ${organizationId} group by firmware_id having ${count} > 0))`,
  ]
}
