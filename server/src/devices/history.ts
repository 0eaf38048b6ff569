import type { DeviceEvent, DeviceEventKind, DeviceHistory } from '@lectern/contract/devices/history.ts'
import { type ContentKind, toContentKind } from '@lectern/contract/publications/content-kind.ts'
import { contentLabel } from '@lectern/contract/publications/publications.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import { notFound } from '../lib/http/problem.ts'
import { type EventRow, selectEvents, selectSeen } from './history-sql.ts'

const kinds: Record<EventRow['kind'], { kind: DeviceEventKind; contentKind?: ContentKind }> = {
  applied: { kind: 'applied' },
  failed: { kind: 'failed' },
  moved: { kind: 'moved' },
  configurationDrifted: { kind: 'drifted', contentKind: 'configuration' },
  configurationReturned: { kind: 'returned', contentKind: 'configuration' },
  firmwareDrifted: { kind: 'drifted', contentKind: 'firmware' },
  firmwareReturned: { kind: 'returned', contentKind: 'firmware' },
}

function findContent({ content, content_hash: hash, file_name: name, version }: EventRow): Pick<DeviceEvent, 'contentKind' | 'content'> {
  if (content === null || hash === null) return {}
  const kind = toContentKind(content)
  return { contentKind: kind, content: contentLabel({ kind, hash, name, version }) }
}

const toEvent = (row: EventRow): DeviceEvent => ({
  id: row.key,
  at: row.at.toISOString(),
  ...kinds[row.kind],
  ...findContent(row),
  ...(row.running !== null && { running: row.running }),
  ...(row.revision !== null && { revision: row.revision }),
  ...(row.rollout_id !== null && { rollout: row.rollout_id }),
  ...(row.published_zone !== null && { zone: row.published_zone }),
  ...(row.published_by !== null && { publishedBy: row.published_by }),
  ...(row.requested_by !== null && { requestedBy: row.requested_by }),
  ...(row.key.startsWith('r') && { reapplied: true as const }),
  ...(row.reason !== null && { reason: row.reason }),
  ...(row.moved_from !== null && { from: row.moved_from }),
  ...(row.moved_to !== null && { to: row.moved_to }),
})

function parsePlace(before: string) {
  const [micros, key] = before.split('~')
  return { micros: Number(micros), key: key! }
}

export async function listDeviceEvents(
  db: Database,
  { organizationId, zones, serialNumber }: ZoneScope & { serialNumber: string },
  { PageSize, before }: { PageSize: number; before?: string | undefined },
): Promise<DeviceHistory> {
  const device = await selectSeen(db, { organizationId, zones }, serialNumber)
  if (!device) throw notFound('reader')
  const page = { organizationId, zones, deviceId: device.id, serialNumber, before: before === undefined ? null : parsePlace(before) }
  // One row more shows whether another page follows.
  const rows = await selectEvents(db, { ...page, size: PageSize + 1 })
  const last = rows.length > PageSize ? rows[PageSize - 1] : undefined
  return {
    eventList: rows.slice(0, PageSize).map(toEvent),
    ...(last && { next: `${last.micros}~${last.key}` }),
    ...(device.first_seen_on !== null && { firstSeen: device.first_seen_on }),
    lastSeen: device.last_seen_at.toISOString(),
  }
}
