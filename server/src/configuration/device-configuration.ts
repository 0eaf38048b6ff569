import type { DeviceConfiguration, Standing } from '@lectern/contract/configuration.ts'
import { recordChange } from '../audit/audit.ts'
import { tellEvent } from '../events/events.ts'
import type { Database } from '../lib/database.ts'
import { notFound, Problem } from '../lib/problem.ts'
import { dueOf, resultOf } from '../publications/publications.ts'
import { configurationLabel } from './configuration.ts'
import { insertReapplication, selectDeviceConfiguration } from './sql.ts'

type Row = NonNullable<Awaited<ReturnType<typeof selectDeviceConfiguration>>>
type Wanted = {
  [Key in 'publication_id' | 'content_hash' | 'revision' | 'update_time' | 'published_at' | 'at_once' | 'rollout_id']: NonNullable<Row[Key]>
}

const isWanted = (row: Row): row is Row & Wanted => row.publication_id !== null

/** How a reader stands to what its zone wants. Only a check-in says that it drifted: it knows what the reader had before. */
function standingOf(row: Row): Standing {
  if (!isWanted(row)) return 'none'
  if (row.config_hash === row.content_hash && row.current_config === configurationLabel(row.file_name, row.content_hash)) return 'current'
  if (row.drifted) return 'drifted'
  return row.outcome === null ? 'waiting' : (row.outcome as 'applied' | 'failed')
}

async function rowOf(db: Database, organizationId: string, serialNumber: string): Promise<Row> {
  const row = await selectDeviceConfiguration(db, organizationId, serialNumber)
  if (!row) throw notFound('reader')
  return row
}

/** What a reader shall run beside what it says it runs. */
export async function configurationOf(db: Database, organizationId: string, serialNumber: string): Promise<DeviceConfiguration> {
  const row = await rowOf(db, organizationId, serialNumber)
  return {
    standing: standingOf(row),
    desired: isWanted(row)
      ? {
          configuration: configurationLabel(row.file_name, row.content_hash),
          contentHash: row.content_hash,
          revision: row.revision,
          publishedAt: row.published_at.toISOString(),
          updateTime: row.update_time,
          ...(row.published_by !== null && { publishedBy: row.published_by }),
          atOnce: row.at_once,
          rollout: row.rollout_id,
          ...(row.time_zone !== null && { dueAt: dueOf({ ...row, time_zone: row.time_zone }).toISOString() }),
        }
      : undefined,
    reported:
      row.current_config === null
        ? undefined
        : { configuration: row.current_config, ...(row.config_hash !== null && { contentHash: row.config_hash }) },
    result: resultOf(row.outcome, row.reason, row.happened_at),
    reapplication: row.requested_at
      ? {
          requestedAt: row.requested_at.toISOString(),
          ...(row.requested_by !== null && { requestedBy: row.requested_by }),
          result: resultOf(row.again_outcome, row.again_reason, row.again_at),
        }
      : undefined,
  }
}

interface Reapply {
  caller: { userId: string; email: string }
  origin: { address: string; requestId: string }
  params: { organizationId: string; serialNumber: string }
}

/** Has a reader given once more what its zone wants. While that is still to come, asking again changes nothing. */
export async function reapplyConfiguration(db: Database, { caller, origin, params }: Reapply): Promise<{ message: string }> {
  const { organizationId, serialNumber } = params
  const row = await rowOf(db, organizationId, serialNumber)
  const standing = standingOf(row)
  if (!isWanted(row)) throw new Problem(409, 'Nothing has been published for this reader’s model in its zone.')
  if (standing === 'current') throw new Problem(409, 'This reader runs what its zone wants.')
  if (standing !== 'drifted' && standing !== 'failed') throw new Problem(409, 'This reader is still to be given what its zone wants.')
  const label = configurationLabel(row.file_name, row.content_hash)
  const message = `${serialNumber} will be given ${label} as soon as its host PC hears of it.`
  const { id: device_id, publication_id } = row
  const isNew = await insertReapplication(db, { organization_id: organizationId, publication_id, device_id, requested_by: caller.userId })
  if (!isNew) return { message }
  await recordChange(
    db,
    { caller, origin },
    {
      organization_id: organizationId,
      change_type: 'reapplyConfiguration',
      target: row.device_type,
      device_serial: serialNumber,
      zone_name: row.zone_name,
      config_name: label,
      new_value: row.content_hash,
      version: String(row.revision),
    },
  )
  await tellEvent(db, { organization_id: organizationId, zone_id: row.zone_id, kind: 'desired' })
  return { message }
}
