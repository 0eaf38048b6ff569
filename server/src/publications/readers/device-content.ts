import type { DeviceFirmware } from '@lectern/contract/firmware/firmware.ts'
import type { ContentKind } from '@lectern/contract/publications/content-kind.ts'
import { contentLabel, type DeviceConfiguration, type Standing } from '@lectern/contract/publications/publications.ts'
import type { RepairPlan } from '@lectern/contract/publications/repairs.ts'
import { currentTimeZone } from '@lectern/contract/publications/time-zone-history.ts'
import type { Database } from '../../lib/database/database.ts'
import type { ZoneScope } from '../../lib/database/zone-scope.ts'
import { notFound } from '../../lib/http/problem.ts'
import { computeStart, toResult } from '../publications.ts'
import { type DeviceContentRow, selectDeviceContent } from './device-content-sql.ts'
import { findReapplied, type Reapply, reapply, requireReappliable } from './reapplications.ts'
import { previewRepair, requireShown } from './repairs.ts'
import { oneReader } from './repairs-sql.ts'

type DesiredColumns = {
  [Key in 'publication_id' | 'content_hash' | 'revision' | 'update_time' | 'published_at' | 'at_once' | 'rollout_id']: NonNullable<
    DeviceContentRow[Key]
  >
}
type Desiring = DeviceContentRow & DesiredColumns

const hasDesired = (row: DeviceContentRow): row is Desiring => row.publication_id !== null

const formatLabel = ({ content_hash: hash, file_name: name, version }: Desiring, kind: ContentKind): string =>
  contentLabel({ kind, hash, name, version })

/** Whether the reader reports what it must run. It is false for a customer's own firmware file, as that has no version. */
const runsDesired = (row: Desiring, kind: ContentKind): boolean =>
  kind === 'firmware'
    ? row.version_order !== null && row.reported_order === row.version_order
    : row.reported_hash === row.content_hash && row.reported_name === formatLabel(row, kind)

/** Compares what the reader runs with what it must run. Drift is read, as only check-ins know what the reader ran before. */
function getStanding(row: DeviceContentRow, kind: ContentKind): Standing {
  if (!hasDesired(row)) return 'none'
  if (runsDesired(row, kind)) return row.keeps ? 'kept' : 'current'
  if (row.drifted) return 'drifted'
  if (row.outcome === 'kept') return 'kept'
  if (row.outcome === null || row.retrying) return 'waiting'
  // That a reader runs a customer's own firmware file is only known from its outcome.
  return row.outcome === 'applied' && kind === 'firmware' && row.version_order === null ? 'current' : row.outcome
}

async function getRow(db: Database, scope: ZoneScope, serialNumber: string, kind: ContentKind): Promise<DeviceContentRow> {
  const row = await selectDeviceContent(db, scope, serialNumber, kind)
  if (!row) throw notFound('reader')
  return row
}

function toDesiredFacts(row: Desiring) {
  // A retry does not wait for the next update time.
  const times = { ...row, ...(row.retrying && { stop_time: null, start_date: null, open_times: null }) }
  return {
    contentHash: row.content_hash,
    revision: row.revision,
    publishedAt: row.published_at.toISOString(),
    updateTime: row.update_time,
    atOnce: row.at_once,
    rollout: row.rollout_id,
    ...(row.published_by !== null && { publishedBy: row.published_by }),
    ...(row.time_zone_history !== null && {
      dueAt: computeStart({ ...times, time_zone_history: row.time_zone_history }, new Date()).toISOString(),
      timeZone: currentTimeZone(row.time_zone_history),
    }),
  }
}

async function getStandingFacts(db: Database, { organizationId }: ZoneScope, row: DeviceContentRow, kind: ContentKind) {
  return {
    standing: getStanding(row, kind),
    result: row.retrying ? undefined : toResult(row.outcome === 'kept' ? null : row.outcome, row.reason, row.happened_at),
    reapplication: await findReapplied(db, organizationId, row.publication_id, row.id),
  }
}

export async function getDeviceConfiguration(db: Database, scope: ZoneScope, serialNumber: string): Promise<DeviceConfiguration> {
  const row = await getRow(db, scope, serialNumber, 'configuration')
  const { reported_name: reported, reported_hash: contentHash } = row
  return {
    ...(await getStandingFacts(db, scope, row, 'configuration')),
    desired: hasDesired(row) ? { configuration: formatLabel(row, 'configuration'), ...toDesiredFacts(row) } : undefined,
    reported: reported === null ? undefined : { configuration: reported, ...(contentHash !== null && { contentHash }) },
  }
}

export async function getDeviceFirmware(db: Database, scope: ZoneScope, serialNumber: string): Promise<DeviceFirmware> {
  const row = await getRow(db, scope, serialNumber, 'firmware')
  return {
    ...(await getStandingFacts(db, scope, row, 'firmware')),
    desired: hasDesired(row) ? { firmware: formatLabel(row, 'firmware'), ...toDesiredFacts(row) } : undefined,
    ...(row.reported_name !== null && { reported: row.reported_name }),
  }
}

interface Repair extends Pick<Reapply, 'params'> {
  settings: { minBattery: number }
}

const toRepair = ({ params, settings }: Repair, { id, publication_id }: DeviceContentRow) => ({
  organizationId: params.organizationId,
  readers: oneReader(publication_id!, id),
  minBattery: settings.minBattery,
  of: 'reader' as const,
})

/** Returns the dry run of a re-apply. Throws the Problems of the re-apply itself. */
export async function previewReapply(db: Database, call: Repair, kind: ContentKind): Promise<RepairPlan> {
  const row = await getRow(db, call.params, call.params.serialNumber, kind)
  requireReappliable(row, getRepairedStanding(row, kind))
  return previewRepair(db, toRepair(call, row))
}

// Returns the standing by which a re-apply is allowed. A reader whose update failed and is being retried still counts as failed.
function getRepairedStanding(row: DeviceContentRow, kind: ContentKind): Standing {
  const found = getStanding(row, kind)
  return found === 'waiting' && row.retrying ? 'failed' : found
}

export async function reapplyContent(
  db: Database,
  call: Reapply & Repair,
  kind: ContentKind,
  expected: RepairPlan | undefined,
): Promise<{ message: string }> {
  const row = await getRow(db, call.params, call.params.serialNumber, kind)
  const standing = getRepairedStanding(row, kind)
  requireReappliable(row, standing)
  await requireShown(db, toRepair(call, row), expected)
  const label = hasDesired(row) ? formatLabel(row, kind) : ''
  const change =
    kind === 'firmware'
      ? { change_type: 'reapplyFirmware' as const, version: label }
      : { change_type: 'reapplyConfiguration' as const, config_name: label, version: String(row.revision) }
  return reapply(db, call, row, kind === 'firmware' ? `firmware ${label}` : label, { ...change, new_value: row.content_hash })
}
