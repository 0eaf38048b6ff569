import { Button } from '../../ui/button/button.tsx'
import type { Close } from '../../ui/dialog/dialog.tsx'
import { DialogPanel } from '../../ui/dialog/dialog-panel.tsx'
import type { WizardState } from '../wizard-state.ts'

export function MovedRun({ from, to, close }: { from: string[]; to: string[]; close: Close<WizardState['when']> }) {
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

export function OutsideWindow({ opens, close }: { opens: string[]; close: Close<'allow' | 'wait'> }) {
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

export function LaterPhases({ close }: { close: Close<true> }) {
  return (
    <DialogPanel
      title="Publish later phases outside the maintenance windows?"
      actions={
        <>
          <Button variant="primary" data-autofocus onClick={() => close()}>
            Go back
          </Button>
          <Button onClick={() => close(true)}>Publish anyway</Button>
        </>
      }
    >
      <p>
        With Now each phase begins as soon as its turn comes, also outside the maintenance windows and on blocked days. Choose an update
        time for phases that keep to them.
      </p>
    </DialogPanel>
  )
}
