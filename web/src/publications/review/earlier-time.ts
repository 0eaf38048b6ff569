import { findClosing, findOpening, listDaysWithin, type OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { formatClock, formatDay, formatRun, nextRuns } from '../../lib/run-words.ts'
import type { WizardState } from '../wizard-state.ts'
import type { ZoneSummary } from '../zone-summary.ts'

/**
 * Finds the first window that the chosen time passes over; undefined where it passes over none. `words`: what to show about it. `updateTime`: the
 * opening of that window.
 */
export function findEarlierTime(
  { when, updateTime }: WizardState,
  summary: ZoneSummary | undefined,
  now: Date,
): { words: string; updateTime: string } | undefined {
  if (when === 'now' || updateTime === '' || !summary) return undefined
  const clocks = summary.clocks.flatMap(({ timeZones, openTimes }) => timeZones.map((timeZone) => ({ timeZone, openTimes })))
  const [first] = clocks
    .flatMap((clock) => findPassed(clock, updateTime, now))
    .sort((one, other) => Date.parse(one.opens.at) - Date.parse(other.opens.at))
  if (!first) return undefined
  const { run, opens } = first
  const where = clocks.length > 1 ? ' in some zones' : ''
  const [timeZone = 'UTC'] = run.timeZones
  const words = `${updateTime} is within the maintenance windows from ${formatDay(new Date(run.at), timeZone)} on${where}. They open before that, ${formatRun(opens, { now })}.`
  return { words, updateTime: formatClock(new Date(opens.at), timeZone) }
}

function findPassed({ timeZone, openTimes }: { timeZone: string; openTimes: OpenTimes }, updateTime: string, now: Date) {
  const [run] = nextRuns([timeZone], updateTime, now, openTimes)
  if (!run || listDaysWithin(updateTime, openTimes).size === 0) return []
  const opens = findPassedOpening(now.getTime(), Date.parse(run.at), openTimes, timeZone)
  if (opens === undefined) return []
  // The clock may show that time sooner, within the window that is open now.
  const [earlier] = nextRuns([timeZone], formatClock(new Date(opens), timeZone), now, openTimes)
  return earlier ? [{ run, opens: earlier }] : []
}

/** Returns when the first window opens that opens after an instant and closes before a run; undefined where there is none. */
export function findPassedOpening(instant: number, run: number, openTimes: OpenTimes, timeZone: string): number | undefined {
  const opens = findOpening(findClosing(instant, openTimes, timeZone, run), openTimes, timeZone)
  return opens < run && findClosing(opens, openTimes, timeZone, run) <= run ? opens : undefined
}
