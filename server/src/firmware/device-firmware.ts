import type { DeviceFirmware } from '@lectern/contract/firmware/firmware.ts'
import type { Standing } from '@lectern/contract/publications/publications.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import { notFound } from '../lib/http/problem.ts'
import { computeStart, toResult } from '../publications/publications.ts'
import { findReapplied, type Reapply, reapply } from '../reapplications/reapplications.ts'
import { selectDeviceFirmware } from './sql.ts'

type Row = NonNullable<Awaited<ReturnType<typeof selectDeviceFirmware>>>
type DesiredColumns = {
  [Key in 'publication_id' | 'content_hash' | 'revision' | 'update_time' | 'published_at' | 'at_once' | 'rollout_id']: NonNullable<Row[Key]>
}

const hasDesired = (row: Row): row is Row & DesiredColumns => row.publication_id !== null

/**
 * The reader compared with its zone's desired firmware. Drift comes from check-ins alone, as only they know what the reader had before. A
 * customer's own file has no version to compare, so its outcome decides.
 */
function getStanding(row: Row): Standing {
  if (!hasDesired(row)) return 'none'
  const { version_order, firmware_order, firmware_drifted, outcome } = row
  if (version_order !== null && firmware_order === version_order) return 'current'
  if (firmware_drifted) return 'drifted'
  if (outcome === null || row.retrying) return 'waiting'
  if (outcome === 'failed') return 'failed'
  return version_order === null ? 'current' : 'applied'
}

async function getRow(db: Database, scope: ZoneScope, serialNumber: string): Promise<Row> {
  const row = await selectDeviceFirmware(db, scope, serialNumber)
  if (!row) throw notFound('reader')
  return row
}

const getFirmwareName = ({ version, file_name }: Row): string => version ?? file_name ?? ''

export async function getDeviceFirmware(db: Database, scope: ZoneScope, serialNumber: string): Promise<DeviceFirmware> {
  const row = await getRow(db, scope, serialNumber)
  return {
    standing: getStanding(row),
    desired: hasDesired(row)
      ? {
          firmware: getFirmwareName(row),
          contentHash: row.content_hash,
          revision: row.revision,
          publishedAt: row.published_at.toISOString(),
          updateTime: row.update_time,
          atOnce: row.at_once,
          rollout: row.rollout_id,
          ...(row.published_by !== null && { publishedBy: row.published_by }),
          ...(row.time_zone !== null && {
            // A retry does not wait for the next update time.
            dueAt: computeStart(
              { ...row, ...(row.retrying && { stop_time: null, start_date: null, open_times: null }), time_zone: row.time_zone },
              new Date(),
            ).toISOString(),
            timeZone: row.time_zone,
          }),
        }
      : undefined,
    ...(row.current_firmware !== null && { reported: row.current_firmware }),
    result: row.retrying ? undefined : toResult(row.outcome, row.reason, row.happened_at),
    reapplication: await findReapplied(db, scope.organizationId, row.publication_id, row.id),
  }
}

export async function reapplyFirmware(db: Database, call: Reapply): Promise<{ message: string }> {
  const row = await getRow(db, call.params, call.params.serialNumber)
  const version = getFirmwareName(row)
  // A reader that failed and is being retried has a reapplication already.
  const standing = row.retrying ? 'failed' : getStanding(row)
  return reapply(db, call, row, standing, `firmware ${version}`, { change_type: 'reapplyFirmware', version, new_value: row.content_hash })
}
