import { maxCfgLength } from '@lectern/contract/publications/cfg.ts'
import {
  configurationLabel,
  type DeviceConfiguration,
  type RunningConfiguration,
  type Standing,
} from '@lectern/contract/publications/publications.ts'
import { decodeFile } from '@lectern/contract/text/decode-file.ts'
import type { ContentStore } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import { notFound } from '../lib/http/problem.ts'
import { findReapplied, type Reapply, reapply } from '../reapplications/reapplications.ts'
import { computeStart, toResult } from './publications.ts'
import { selectDeviceConfiguration, selectRunning } from './sql.ts'

type Row = NonNullable<Awaited<ReturnType<typeof selectDeviceConfiguration>>>
type DesiredColumns = {
  [Key in 'publication_id' | 'content_hash' | 'revision' | 'update_time' | 'published_at' | 'at_once' | 'rollout_id']: NonNullable<Row[Key]>
}

const hasDesired = (row: Row): row is Row & DesiredColumns => row.publication_id !== null

/** The reader compared with its zone's desired configuration. Drift comes from check-ins alone, as only they know what the reader had before. */
function getStanding(row: Row): Standing {
  if (!hasDesired(row)) return 'none'
  if (row.config_hash === row.content_hash && row.current_config === configurationLabel(row.file_name, row.content_hash)) return 'current'
  if (row.configuration_drifted) return 'drifted'
  return row.outcome === null ? 'waiting' : (row.outcome as 'applied' | 'failed')
}

async function getRow(db: Database, scope: ZoneScope, serialNumber: string): Promise<Row> {
  const row = await selectDeviceConfiguration(db, scope, serialNumber)
  if (!row) throw notFound('reader')
  return row
}

export async function getDeviceConfiguration(db: Database, scope: ZoneScope, serialNumber: string): Promise<DeviceConfiguration> {
  const row = await getRow(db, scope, serialNumber)
  return {
    standing: getStanding(row),
    desired: hasDesired(row)
      ? {
          configuration: configurationLabel(row.file_name, row.content_hash),
          contentHash: row.content_hash,
          revision: row.revision,
          publishedAt: row.published_at.toISOString(),
          updateTime: row.update_time,
          ...(row.published_by !== null && { publishedBy: row.published_by }),
          atOnce: row.at_once,
          rollout: row.rollout_id,
          ...(row.time_zone !== null && {
            dueAt: computeStart({ ...row, time_zone: row.time_zone }, new Date()).toISOString(),
            timeZone: row.time_zone,
          }),
        }
      : undefined,
    reported:
      row.current_config === null
        ? undefined
        : { configuration: row.current_config, ...(row.config_hash !== null && { contentHash: row.config_hash }) },
    result: toResult(row.outcome, row.reason, row.happened_at),
    reapplication: await findReapplied(db, scope.organizationId, row.publication_id, row.id),
  }
}

export async function reapplyConfiguration(db: Database, call: Reapply): Promise<{ message: string }> {
  const row = await getRow(db, call.params, call.params.serialNumber)
  const label = hasDesired(row) ? configurationLabel(row.file_name, row.content_hash) : ''
  return reapply(db, call, row, getStanding(row), label, {
    change_type: 'reapplyConfiguration',
    config_name: label,
    new_value: row.content_hash,
    version: String(row.revision),
  })
}

/** Throws a Problem 404 where nothing is published. */
export async function getRunning(
  db: Database,
  params: ZoneScope & { location: string; device: string },
  contents: ContentStore,
): Promise<RunningConfiguration> {
  const row = await selectRunning(db, params, params.location, params.device)
  if (!row) throw notFound('zone')
  const { content, content_hash, size, file_name, revision, published_at } = row
  if (content === null || content_hash === null || size === null || revision === null || published_at === null)
    throw notFound('configuration')
  const bytes = size > maxCfgLength ? null : Buffer.concat(await contents.read(content_hash).toArray())
  return {
    name: configurationLabel(file_name, content_hash),
    revision,
    publishedAt: published_at.toISOString(),
    kind: content === 'file' ? 'script' : (content as 'cfg' | 'commands'),
    text: bytes && (decodeFile(bytes)?.text ?? null),
  }
}
