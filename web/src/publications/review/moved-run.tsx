import { formatRun } from '../../lib/run-words.ts'
import { Button } from '../../ui/button/button.tsx'
import { type Close, useDialog } from '../../ui/dialog/dialog.tsx'
import { DialogPanel } from '../../ui/dialog/dialog-panel.tsx'
import { findMovedRuns } from '../select/planned-run.ts'
import type { WizardAction, WizardState } from '../wizard.ts'
import type { ZoneSummary } from '../zone-summary.ts'

/**
 * Asks where the run has moved to another day since step 1.
 * @returns a function that resolves with what to change before publishing; undefined: do not publish
 */
export function useMovedRunQuestion(state: WizardState, summary: ZoneSummary | undefined): () => Promise<WizardAction[] | undefined> {
  const { open } = useDialog()
  return async () => {
    const now = new Date()
    const moved = findMovedRuns(state, summary, now)
    if (!moved) return []
    const words = (runs: typeof moved.from) =>
      runs.map((run) => formatRun(run, { updateTime: state.updateTime, now, ...(summary && { openTimes: summary.openTimes }) }))
    const answer = await open<WizardState['when']>((close) => <MovedRun from={words(moved.from)} to={words(moved.to)} close={close} />)
    if (answer === 'now') return [{ type: 'when', when: 'now' }]
    return answer === 'at' ? [{ type: 'planned', at: now.getTime() }] : undefined
  }
}

function MovedRun({ from, to, close }: { from: string[]; to: string[]; close: Close<WizardState['when']> }) {
  return (
    <DialogPanel
      title="The run has moved to another day"
      actions={
        <>
          <Button onClick={() => close()}>Go back</Button>
          <Button onClick={() => close('now')}>Publish now</Button>
          <Button variant="primary" data-autofocus onClick={() => close('at')}>
            Publish for the new day
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <Runs term="When you chose it" runs={from} />
        <Runs term="If you publish it as it is" runs={to} />
      </div>
    </DialogPanel>
  )
}

const Runs = ({ term, runs }: { term: string; runs: string[] }) => (
  <div>
    <p>{term}:</p>
    {runs.map((run) => (
      <p key={run}>
        <b>{run}</b>
      </p>
    ))}
  </div>
)
