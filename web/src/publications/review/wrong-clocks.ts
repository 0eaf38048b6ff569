import { formatClockAhead } from '@lectern/contract/publications/clock-ahead.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { formatRun, nextRuns } from '../../lib/run-words.ts'
import { isTimeMissing, type WizardState } from '../wizard-state.ts'
import type { ZoneSummary } from '../zone-summary.ts'

/**
 * Says how wrong clocks of the zones' host PCs are, and when their readers begin in truth, as update times are by these clocks (AGT-09);
 * undefined where all are right, or nothing is known.
 */
export function describeWrongClocks(state: WizardState, summary: ZoneSummary | undefined, now: Date): string | undefined {
  const clocks = summary?.wrongClocks ?? []
  if (clocks.length === 0) return undefined
  const hosts = clocks.reduce((sum, clock) => sum + clock.hosts, 0)
  const least = formatClockAhead(Math.min(...clocks.map((clock) => clock.least)))
  const most = formatClockAhead(Math.max(...clocks.map((clock) => clock.most)))
  const isOne = hosts === 1
  const subject = isOne ? 'The clock of 1 host PC is' : `The clocks of ${formatNumber(hosts)} host PCs are`
  const offsets = least === most ? `${subject} ${least}.` : `${subject} wrong, from ${least} to ${most}.`
  if (state.when === 'now') return `${offsets} ${isOne ? 'Its' : 'Their'} readers begin now all the same.`
  if (isTimeMissing(state)) return offsets
  return `${offsets} By the true time ${isOne ? 'its' : 'their'} readers begin ${formatTrueStarts(state, clocks, now)}.`
}

function formatTrueStarts({ updateTime }: WizardState, clocks: ZoneSummary['wrongClocks'], now: Date): string {
  const starts = clocks
    .flatMap(({ timeZone, openTimes, least, most }) => {
      const [run] = nextRuns([timeZone], updateTime, now, openTimes)
      if (!run) return []
      // A clock that is ahead shows the time sooner, and one that shows a later time already begins at once.
      return [most, least].map((ahead) => ({ at: Math.max(Date.parse(run.at) - ahead * 1000, now.getTime()), timeZone }))
    })
    .sort((one, other) => one.at - other.at)
  const format = ({ at, timeZone }: (typeof starts)[number]) =>
    formatRun({ at: new Date(at).toISOString(), timeZones: [timeZone] }, { now })
  const [first, last] = [format(starts[0]!), format(starts.at(-1)!)]
  return first === last ? first : `from ${first} on, the last ones ${last}`
}
