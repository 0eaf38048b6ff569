import type { Run } from '@lectern/contract/publications/runs.ts'
import type { SafetyLimitInput } from '@lectern/contract/publications/safety-limit.ts'
import type { RolloutFilter } from '@lectern/contract/rollouts/rollout-filters.ts'
import type { ReaderState, Rollout, RolloutPart, RolloutState } from '@lectern/contract/rollouts/rollouts.ts'
import { formatNames, zonesInSentence } from '@lectern/contract/text/names.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { formatDay, formatMinute, formatTime } from '../lib/format.ts'
import { formatPhrase, formatRun, type RunWords } from '../lib/run-words.ts'
import type { StatusKind } from '../ui/feedback/status.tsx'

const rolloutStates: Record<RolloutState, { kind: StatusKind; word: string }> = {
  updating: { kind: 'run', word: 'Updating' },
  halted: { kind: 'warn', word: 'Halted' },
  waitingForHost: { kind: 'wait', word: 'Waiting for host' },
  scheduled: { kind: 'wait', word: 'Waiting' },
  waitingForPhase: { kind: 'wait', word: 'Waiting for its phase' },
  underWay: { kind: 'run', word: 'In progress' },
  complete: { kind: 'ok', word: 'Complete' },
  replaced: { kind: 'unknown', word: 'Replaced' },
  empty: { kind: 'unknown', word: 'No readers' },
}

export const nameState = (state: RolloutState): string => rolloutStates[state].word

export function formatFilter(filter: RolloutFilter): string {
  if (filter === 'failed') return 'Failed readers'
  if (filter === 'scheduled') return 'Waiting for its time'
  if (filter === 'waitingForHost') return 'Waiting for its host PC'
  return filter === 'replaced' ? 'Replaced or rolled back' : rolloutStates[filter].word
}

export type DescribedState = Pick<Rollout, 'state' | 'phaseWaitedFor' | 'counts'> &
  Partial<Pick<Rollout, 'rolledBackBy' | 'isRolledBackInPart'> & Pick<RolloutPart, 'withdrawn'>>

/**
 * A rollout that is complete except for failed readers is no success (STA-07). One that was replaced gives the share of readers that it was
 * applied to (SEE-01).
 */
export function describeState(rollout: DescribedState): { kind: StatusKind; word: string } {
  const { state, phaseWaitedFor, counts } = rollout
  const described = rolloutStates[state]
  if (phaseWaitedFor !== undefined) return { ...described, word: `Waiting for phase ${phaseWaitedFor}` }
  if (state === 'complete' && counts.failed > 0) return { kind: 'warn', word: `${described.word}, ${formatNumber(counts.failed)} failed` }
  if (state !== 'replaced') return described
  const word = nameEnd(rollout)
  if (counts.readers === 0) return { ...described, word }
  return { ...described, word: `${word}, ${formatNumber(counts.applied)} of ${formatNumber(counts.readers)} applied` }
}

function nameEnd({ rolledBackBy, isRolledBackInPart, withdrawn }: DescribedState): string {
  if (isRolledBackInPart) return 'Rolled back in part'
  return rolledBackBy !== undefined || withdrawn ? 'Rolled back' : 'Replaced'
}

export const readerLook: Record<ReaderState, { kind: StatusKind; word: string }> = {
  applied: { kind: 'ok', word: 'Applied' },
  downloading: { kind: 'run', word: 'Downloading' },
  waiting: { kind: 'wait', word: 'Waiting' },
  silent: { kind: 'unknown', word: 'Silent' },
  failed: { kind: 'bad', word: 'Failed' },
  replaced: { kind: 'unknown', word: 'Replaced' },
}

const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
export const formatSecond = (instant: string): string => time.format(new Date(instant))

/** For a sentence: "at 02:31" today, else "on 20 Nov 2025 at 02:31". */
export const formatWhen = (instant: string, now = new Date().toISOString()): string =>
  formatDay(instant) === formatDay(now) ? `at ${formatTime(instant)}` : `on ${formatDay(instant)} at ${formatTime(instant)}`

export const formatPercent = (limit: number | null): string => (limit === null ? 'None' : `${limit}%`)

/** "5%, until 05:00". */
export const formatLimits = ({ haltAbovePercent, stopTime }: Pick<SafetyLimitInput, 'haltAbovePercent' | 'stopTime'>): string =>
  [formatPercent(haltAbovePercent).toLowerCase(), ...(stopTime === null ? [] : [`until ${stopTime}`])].join(', ')

/** How they were chosen, "7 zones tagged Clinic"; else their names, "ICU 3 North, Radiology and 2 more". */
export const formatZones = ({ zones, zoneCount, zoneWords }: Pick<Rollout, 'zones' | 'zoneCount' | 'zoneWords'>): string =>
  zoneWords ?? formatNames(zones, zones.length, zoneCount)

/** As `formatZones`, for after "in". */
export const formatZonesWithin = (rollout: Parameters<typeof formatZones>[0]): string =>
  rollout.zoneWords === undefined ? formatZones(rollout) : zonesInSentence(rollout.zoneWords)

/** What waiting readers wait for, in one phrase; undefined where no host gives the zone a clock. */
export const formatStart = (runs: readonly Run[], words: RunWords): string | undefined =>
  runs.length === 0 ? undefined : formatPhrase(runs, words)

/** As `formatStart`, with all that the phrase leaves out, in a line for each run. */
export const formatStarts = (runs: readonly Run[], words: RunWords): string | undefined =>
  runs.length === 0 ? undefined : runs.map((run) => formatRun(run, words)).join('\n')

/** Why a part begins at another time than planned when it was published; undefined where it does not. */
export const formatPlannedAnew = ({ plannedAnew }: Pick<RolloutPart, 'plannedAnew'>): string | undefined =>
  plannedAnew &&
  `Planned anew ${formatMinute(plannedAnew.at)}: the time zone of a host PC is ${plannedAnew.timeZone}, and was ${plannedAnew.before}.`

/** Why a part's readers wait, or the progress of the download; undefined where the state says enough. */
export function formatNote(
  { state, runs, plannedAnew, hostPercent, haltedAt, haltedBy, haltedByLimit, haltedByGate, zoneId, withdrawn, forReaders }: RolloutPart,
  now = new Date(),
): string | undefined {
  if (state === 'halted' && haltedAt) {
    const by = haltedByLimit ? 'the safety limit' : haltedByGate ? 'the gate of its phase' : haltedBy
    return `${by ? `by ${by}, ` : ''}${formatMinute(haltedAt)}`
  }
  if (state === 'scheduled') return [formatStart(runs, { now }), plannedAnew && 'planned anew'].filter(Boolean).join('; ') || undefined
  if (state === 'replaced') return zoneId === null ? 'The zone was deleted' : withdrawn ? undefined : 'Something newer was published'
  if (state === 'empty' && forReaders) return 'It had reached no reader: all were released'
  if (hostPercent !== undefined) return `Host PC downloads, ${hostPercent}%`
  return undefined
}
