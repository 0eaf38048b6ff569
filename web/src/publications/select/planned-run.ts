import { mergeRuns, type Run } from '@lectern/contract/publications/runs.ts'
import type { PublishingDefaults } from '@lectern/contract/schedule/publishing-defaults.ts'
import { formatPhrase, formatRun, haveMoved, nextOpenings, nextRuns } from '../../lib/run-words.ts'
import { isTimeMissing, type WizardState } from '../wizard-state.ts'
import { hasWindows, type ZoneSummary } from '../zone-summary.ts'

/** Returns the next run on each clock of the zones; none for "now", and until the clocks are known. */
const listRuns = ({ when, updateTime }: WizardState, summary: ZoneSummary | undefined, now: Date): Run[] =>
  when === 'now' || updateTime === '' || !summary
    ? []
    : mergeRuns(summary.clocks.flatMap(({ timeZones, openTimes }) => nextRuns(timeZones, updateTime, now, openTimes)))

/** Says when readers update, in a line for each clock of the zones: "now", or the bare time where there is no clock. */
export function formatRuns(state: WizardState, summary: ZoneSummary | undefined, now: Date): string[] {
  const { when, updateTime } = state
  if (isTimeMissing(state)) return []
  if (when === 'now') return ['now']
  const runs = listRuns(state, summary, now)
  return runs.length === 0
    ? [updateTime]
    : runs.map((run) => formatRun(run, { updateTime, now, ...(summary && { openTimes: summary.openTimes }) }))
}

/** Says the same as `formatRuns` in one phrase. */
export function formatStart(state: WizardState, summary: ZoneSummary | undefined, now: Date): string {
  const runs = listRuns(state, summary, now)
  return runs.length > 0 && !isTimeMissing(state) ? formatPhrase(runs, { now }) : formatRuns(state, summary, now).join()
}

/** Returns when windows open on clocks on which they are closed now; none unless "now" is chosen. */
export const findOutside = ({ when }: WizardState, summary: ZoneSummary | undefined, now: Date): Run[] =>
  when === 'now' && summary ? mergeRuns(summary.clocks.flatMap(({ timeZones, openTimes }) => nextOpenings(timeZones, openTimes, now))) : []

/** Whether later phases of a publish "now" would ignore windows or blocked days. */
export const ignoresWindowsLater = (
  { when }: WizardState,
  summary: ZoneSummary | undefined,
  safety: PublishingDefaults | undefined,
): boolean => when === 'now' && (safety?.phases.length ?? 0) > 0 && hasWindows(summary)

export const listOutside = (state: WizardState, summary: ZoneSummary | undefined, now: Date): string[] =>
  findOutside(state, summary, now).map((run) => formatRun(run, { now }))

/** Returns the runs when the user last agreed to the time, and the runs now; null where they are equal. */
export function findMovedRuns(state: WizardState, summary: ZoneSummary | undefined, now: Date): { from: Run[]; to: Run[] } | null {
  if (state.plannedAt === null) return null
  const from = listRuns(state, summary, new Date(state.plannedAt))
  const to = listRuns(state, summary, now)
  return haveMoved(from, to) ? { from, to } : null
}
