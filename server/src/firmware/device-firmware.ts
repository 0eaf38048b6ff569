import type { Standing } from '@lectern/contract/configuration.ts'
import type { DeviceFirmware } from '@lectern/contract/firmware.ts'
import { versionOrder } from '@lectern/contract/versions.ts'
import type { Database } from '../lib/database.ts'
import { notFound } from '../lib/problem.ts'
import { dueOf, resultOf } from '../publications/publications.ts'
import { selectDeviceFirmware } from './sql.ts'

type Row = NonNullable<Awaited<ReturnType<typeof selectDeviceFirmware>>>
type Wanted = {
  [Key in 'publication_id' | 'content_hash' | 'revision' | 'update_time' | 'published_at' | 'at_once' | 'rollout_id']: NonNullable<Row[Key]>
}

const isWanted = (row: Row): row is Row & Wanted => row.publication_id !== null

/** Milliseconds after an outcome in which a check-in may still tell what was before it. */
const onItsWay = 2 * 60_000

/** How a reader stands to the firmware that its zone wants. A file of the customer's own has no version to compare: its outcome says all. */
function standingOf(row: Row): Standing {
  if (!isWanted(row)) return 'none'
  const { version, firmware_order, outcome, reported_at, last_seen_at } = row
  if (version !== null && firmware_order === versionOrder(version)) return 'current'
  if (outcome === null || row.retrying) return 'waiting'
  if (outcome === 'failed') return 'failed'
  if (version === null) return 'current'
  return last_seen_at.getTime() - (reported_at?.getTime() ?? 0) > onItsWay ? 'drifted' : 'applied'
}

/** What firmware a reader shall run beside what it says it runs. */
export async function deviceFirmware(db: Database, organizationId: string, serialNumber: string): Promise<DeviceFirmware> {
  const row = await selectDeviceFirmware(db, organizationId, serialNumber)
  if (!row) throw notFound('reader')
  return {
    standing: standingOf(row),
    desired: isWanted(row)
      ? {
          firmware: row.version ?? row.file_name ?? '',
          contentHash: row.content_hash,
          revision: row.revision,
          publishedAt: row.published_at.toISOString(),
          updateTime: row.update_time,
          atOnce: row.at_once,
          rollout: row.rollout_id,
          ...(row.published_by !== null && { publishedBy: row.published_by }),
          ...(row.time_zone !== null && { dueAt: dueOf({ ...row, time_zone: row.time_zone }).toISOString() }),
        }
      : undefined,
    ...(row.current_firmware !== null && { reported: row.current_firmware }),
    result: row.retrying ? undefined : resultOf(row.outcome, row.reason, row.happened_at),
  }
}
