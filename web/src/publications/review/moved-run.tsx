import { formatRun } from '../../lib/run-words.ts'
import { useDialog } from '../../ui/dialog/dialog.tsx'
import { findMovedRuns } from '../select/planned-run.ts'
import type { WizardAction, WizardState } from '../wizard-state.ts'
import type { ZoneSummary } from '../zone-summary.ts'

/**
 * Returns a function that asks where the run has moved to another day since the user agreed to it. It resolves with the changes to make before
 * publishing; undefined: do not publish.
 */
export function useMovedRunQuestion(state: WizardState, summary: ZoneSummary | undefined): () => Promise<WizardAction[] | undefined> {
  const { open } = useDialog()
  return async () => {
    const now = new Date()
    const moved = findMovedRuns(state, summary, now)
    if (!moved) return []
    const words = (runs: typeof moved.from) =>
      runs.map((run) => formatRun(run, { updateTime: state.updateTime, now, ...(summary && { openTimes: summary.openTimes }) }))
    const answer = await open<WizardState['when']>(async (close) => {
      const { MovedRun } = await import('./time-questions.tsx')
      return <MovedRun from={words(moved.from)} to={words(moved.to)} close={close} />
    })
    if (answer === 'now') return [{ type: 'when', when: 'now' }]
    return answer === 'at' ? [{ type: 'planned', at: now.getTime() }] : undefined
  }
}
