import { proposedPhasesText } from '@lectern/contract/publications/phases.ts'
import { Button } from '../../ui/button/button.tsx'
import type { Close } from '../../ui/dialog/dialog.tsx'
import { DialogPanel } from '../../ui/dialog/dialog-panel.tsx'

interface LargeQuestionProps {
  /** What may begin together: "6,458 readers in all 500 zones". */
  readersInZones: string
  close: Close<'phases' | 'together'>
}

export function LargeQuestion({ readersInZones, close }: LargeQuestionProps) {
  return (
    <DialogPanel
      title="Publish without phases?"
      actions={
        <>
          <Button onClick={() => close()}>Go back</Button>
          <Button onClick={() => close('together')}>Publish anyway</Button>
          <Button variant="primary" data-autofocus onClick={() => close('phases')}>
            Use phases
          </Button>
        </>
      }
    >
      <p>
        <b className="wrap-anywhere">{readersInZones}</b> may begin together. A mistake would reach all of them.
      </p>
      <p className="mt-3">In phases {proposedPhasesText}. A gate halts the rollout where too many fail or are silent.</p>
    </DialogPanel>
  )
}
