import type { DeviceFirmware } from '@lectern/contract/firmware/firmware.ts'
import type { Standing } from '@lectern/contract/publications/publications.ts'
import type { Database } from '../lib/database/database.ts'
import { notFound } from '../lib/http/problem.ts'
import { computeStart, toResult } from '../publications/publications.ts'
import { getReapplied, type Reapply, reapply } from '../reapplications/reapplications.ts'
import { selectDeviceFirmware } from './sql.ts'

type Row = NonNullable<Awaited<ReturnType<typeof selectDeviceFirmware>>>
type Wanted = {
  [Key in 'publication_id' | 'content_hash' | 'revision' | 'update_time' | 'published_at' | 'at_once' | 'rollout_id']: NonNullable<Row[Key]>
}

const isWanted = (row: Row): row is Row & Wanted => row.publication_id !== null

/**
 * How a reader stands to the firmware that its zone wants. Only a check-in says that it drifted: it knows what the reader had before. A file
 * of the customer's own has no version to compare: its outcome says all.
 */
function getStanding(row: Row): Standing {
  if (!isWanted(row)) return 'none'
  const { version_order, firmware_order, firmware_drifted, outcome } = row
  if (version_order !== null && firmware_order === version_order) return 'current'
  if (firmware_drifted) return 'drifted'
  if (outcome === null || row.retrying) return 'waiting'
  if (outcome === 'failed') return 'failed'
  return version_order === null ? 'current' : 'applied'
}

async function getRow(db: Database, organizationId: string, serialNumber: string): Promise<Row> {
  const row = await selectDeviceFirmware(db, organizationId, serialNumber)
  if (!row) throw notFound('reader')
  return row
}

/** One that is tried once more waits for no update time. */
const whileTried = ({ retrying }: Row) => (retrying ? { stop_time: null } : {})

const getFirmwareName = ({ version, file_name }: Row): string => version ?? file_name ?? ''

/** What firmware a reader shall run beside what it says it runs. */
export async function deviceFirmware(db: Database, organizationId: string, serialNumber: string): Promise<DeviceFirmware> {
  const row = await getRow(db, organizationId, serialNumber)
  return {
    standing: getStanding(row),
    desired: isWanted(row)
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
            dueAt: computeStart({ ...row, ...whileTried(row), time_zone: row.time_zone }, new Date()).toISOString(),
          }),
        }
      : undefined,
    ...(row.current_firmware !== null && { reported: row.current_firmware }),
    result: row.retrying ? undefined : toResult(row.outcome, row.reason, row.happened_at),
    reapplication: await getReapplied(db, row.publication_id, row.id),
  }
}

/** Has a reader given once more the firmware that its zone wants. */
export async function reapplyFirmware(db: Database, call: Reapply): Promise<{ message: string }> {
  const row = await getRow(db, call.params.organizationId, call.params.serialNumber)
  const version = getFirmwareName(row)
  // One that failed and waits to be tried again has been asked for.
  const standing = row.retrying ? 'failed' : getStanding(row)
  return reapply(db, call, row, standing, `firmware ${version}`, { change_type: 'reapplyFirmware', version, new_value: row.content_hash })
}
