import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import { type StoredKind, toContentKind } from '@lectern/contract/publications/content-kind.ts'
import { contentLabel } from '@lectern/contract/publications/publications.ts'
import { groupRuns, type Run } from '@lectern/contract/publications/runs.ts'
import { currentTimeZone, findLastChange } from '@lectern/contract/publications/time-zone-history.ts'
import type { RolloutContent, RolloutCounts, RolloutPart, RolloutState } from '@lectern/contract/rollouts/rollouts.ts'
import { computeStart } from '../publications/publications.ts'
import type { PartRow } from './parts-sql.ts'

interface ContentRow {
  content: StoredKind
  content_hash: string
  file_name: string | null
  version: string | null
}

export function toContent({ content, content_hash: hash, file_name: name, version }: ContentRow): RolloutContent {
  const kind = toContentKind(content)
  return { kind, name: contentLabel({ kind, hash, name, version }) }
}

/** Returns the next run on each clock of the zone; none where it has no host PC, or the part is replaced. */
const listRuns = (row: PartRow, now: Date): Run[] =>
  row.replaced_at !== null
    ? []
    : groupRuns(
        row.time_zone_histories.map((history) => ({
          at: computeStart({ ...row, time_zone_history: history }, now),
          timeZone: currentTimeZone(history),
        })),
      )

/**
 * Finds the last change of a host PC's time zone since the publish, by which runs that still wait were planned anew; {} where there is
 * none.
 */
function findPlannedAnew({ published_at, at_once, time_zone_histories }: PartRow, state: RolloutState): Pick<RolloutPart, 'plannedAnew'> {
  if (at_once || (state !== 'scheduled' && state !== 'waitingForPhase')) return {}
  const changes = time_zone_histories.flatMap((history) => findLastChange(history) ?? [])
  const last = changes.filter(({ at }) => at > published_at).sort((one, other) => other.at.getTime() - one.at.getTime())[0]
  return last ? { plannedAnew: { ...last, at: last.at.toISOString() } } : {}
}

const countOpen = ({ readers, applied, failed }: Pick<PartRow, 'readers' | 'applied' | 'failed'>): number => readers - applied - failed

type HaltFacts = Pick<PartRow, 'halted_at' | 'limit_at' | 'limit_resumed' | 'gate_at' | 'replaced_at'>

/** Returns when a user, the safety limit or a gate halted the part; null where none has. */
export const findHaltedAt = ({ halted_at, limit_at, limit_resumed, gate_at, replaced_at }: HaltFacts): Date | null =>
  halted_at ?? (replaced_at !== null ? null : limit_resumed === false ? limit_at : gate_at)

type StateFacts = Pick<
  PartRow,
  'readers' | 'applied' | 'failed' | 'downloading' | 'is_retrying' | 'is_online' | 'replaced_at' | 'withdrawn_by' | 'phase_waited_for'
> &
  HaltFacts

/** `start`: when the part's first readers begin; undefined where no host PC gives its zone a clock. */
export function getState(row: StateFacts, start: Date | undefined, now: Date): RolloutState {
  if (row.readers === 0) return row.replaced_at === null ? 'empty' : 'replaced'
  // A roll back has taken the part back.
  if (row.withdrawn_by !== null) return 'replaced'
  if (countOpen(row) === 0) return 'complete'
  if (row.replaced_at !== null) return 'replaced'
  if (findHaltedAt(row) !== null) return 'halted'
  if (!row.is_online) return 'waitingForHost'
  // Also after the stop time readers under way finish, and retries do not wait for a time.
  if (row.downloading > 0 || row.is_retrying) return 'updating'
  if (row.phase_waited_for !== null) return 'waitingForPhase'
  return start && start > now ? 'scheduled' : 'updating'
}

function toCounts(row: PartRow): RolloutCounts {
  const { readers, applied, failed, downloading, silent } = row
  const open = countOpen(row)
  return row.replaced_at === null
    ? { readers, applied, downloading, waiting: open - downloading - silent, silent, failed, replaced: 0 }
    : { readers, applied, downloading: 0, waiting: 0, silent: 0, failed, replaced: open }
}

export function toPart(row: PartRow, now: Date): RolloutPart {
  const runs = listRuns(row, now)
  const halted = findHaltedAt(row)
  const state = getState(row, runs[0] && new Date(runs[0].at), now)
  return {
    publication: row.id,
    zoneId: row.public_zone_id,
    zone: row.zone_name ?? '',
    deviceType: row.device_type as DeviceModel,
    content: toContent(row),
    revision: row.revision,
    state,
    ...(state === 'waitingForPhase' && row.phase_waited_for !== null && { phaseWaitedFor: row.phase_waited_for }),
    counts: toCounts(row),
    isCurrent: row.replaced_at === null,
    updateTime: row.update_time,
    atOnce: row.at_once,
    runs,
    ...findPlannedAnew(row, state),
    ...(halted && { haltedAt: halted.toISOString() }),
    ...(row.halted_by !== null && { haltedBy: row.halted_by }),
    ...(halted &&
      row.halted_at === null &&
      (row.limit_resumed === false ? { haltedByLimit: true as const } : { haltedByGate: true as const })),
    ...(row.host_percent !== null && { hostPercent: row.host_percent }),
    ...(row.for_readers && { forReaders: true as const }),
    ...(row.withdrawn_by !== null && { withdrawn: true as const }),
    ...(row.has_simulated && { simulated: true }),
  }
}
