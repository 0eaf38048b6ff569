import type { RolloutRuns } from '@lectern/contract/rollouts/rollouts.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useNow } from '../lib/now.ts'
import { formatRun } from '../lib/run-words.ts'

const shown = 4

interface RunLinesProps extends RolloutRuns {
  updateTime?: string
  /** A text before each line. */
  lead?: string
}

export function RunLines({ runs, runCount, updateTime, lead = '' }: RunLinesProps) {
  const now = useNow()
  return (
    <>
      {runs.slice(0, shown).map((run) => (
        <li key={`${run.at} ${run.timeZones[0]}`}>
          {lead}
          {formatRun(run, { now, ...(updateTime !== undefined && { updateTime }) })}
        </li>
      ))}
      {runCount > shown && <li>And at {counted(runCount - shown, 'more time')}.</li>}
    </>
  )
}
