import { formatClock, formatRun } from '../../lib/run-words.ts'
import { Button } from '../../ui/button/button.tsx'
import { type Close, useDialog } from '../../ui/dialog/dialog.tsx'
import { DialogPanel } from '../../ui/dialog/dialog-panel.tsx'
import { findOutside } from '../select/planned-run.ts'
import { reduceWizard, type WizardAction, type WizardState } from '../wizard.ts'
import type { ZoneSummary } from '../zone-summary.ts'

/**
 * Asks where it is to be now and now is outside the maintenance windows (NOW-05).
 * @returns a function that adds to the changes before publishing; undefined: do not publish
 */
export function useWindowQuestion(state: WizardState, summary: ZoneSummary | undefined) {
  const { open } = useDialog()
  return async (changes: readonly WizardAction[]): Promise<readonly WizardAction[] | undefined> => {
    const changed = changes.reduce(reduceWizard, state)
    const now = new Date()
    const opens = findOutside(changed, summary, now)
    const [first] = opens
    if (!first) return changes
    const answer = await open<'allow' | 'wait'>((close) => (
      <OutsideWindow opens={opens.map((run) => formatRun(run, { now }))} close={close} />
    ))
    const updateTime = formatClock(new Date(first.at), first.timeZones[0] ?? 'UTC')
    if (answer === 'wait')
      return [...changes, { type: 'when', when: 'at' }, { type: 'updateTime', updateTime }, { type: 'planned', at: now.getTime() }]
    return answer && [...changes, { type: 'outsideWindow' }]
  }
}

function OutsideWindow({ opens, close }: { opens: string[]; close: Close<'allow' | 'wait'> }) {
  return (
    <DialogPanel
      title="Publish outside the maintenance windows?"
      actions={
        <>
          <Button onClick={() => close()}>Go back</Button>
          <Button onClick={() => close('allow')}>Start now anyway</Button>
          <Button variant="primary" data-autofocus onClick={() => close('wait')}>
            Wait for the next window
          </Button>
        </>
      }
    >
      <p>Readers would begin at once. The maintenance windows open:</p>
      {opens.map((run) => (
        <p key={run}>
          <b>{run}</b>
        </p>
      ))}
    </DialogPanel>
  )
}
