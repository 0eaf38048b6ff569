import type { DeviceColumn } from '@lectern/contract/devices/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import { isInZones } from '../lib/database/zone-scope.ts'
import type { Reading } from './order-sql.ts'
import { type Metric, rowColumns } from './sql.ts'

// What readers are listed by, such as their zones or hosts.
export interface Groups {
  table: RawBuilder<unknown>
  key: RawBuilder<unknown>
  reference: RawBuilder<unknown>
  isUnique?: boolean
  /** Which of them have readers that are shown, where that is known. */
  mayHave?: (reading: Reading) => RawBuilder<boolean>[]
  ofMember?: (reading: Reading) => RawBuilder<boolean>[]
}

// Hosts without the mark have no reader of the tile that was seen with them.
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

// What is passed over is read from indexes alone, which have no times but those of a reader's own.
function areSeenWithHost({ shown: { organizationId }, picked }: Reading): RawBuilder<boolean>[] {
  if (picked === rowColumns) return [sql`d.last_seen_at is null`]
  const own = sql`select own.id from device own where own.organization_id = ${organizationId} and own.host_id = g.id and own.last_seen_at is not null`
  return [sql`d.id <> all(array(${own}))`]
}

// A page far in asks all, as PostgreSQL would take the few that remain for too few to stop among.
function hasReaders({ shown: { organizationId, metric }, start }: Reading): RawBuilder<boolean>[] {
  if (start?.place) return []
  const count = sql`sum(${sql.ref(metric ?? 'total')})`
  return [
    sql`id = any(array(select firmware_id from firmware_total where organization_id = ${organizationId} group by firmware_id having ${count} > 0))`,
  ]
}
