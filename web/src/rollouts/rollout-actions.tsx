import type { RolloutDetail } from '@lectern/contract/rollouts.ts'
import { Pause, Play, Undo2 } from 'lucide-react'
import { useNavigate } from 'react-router'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { useDialog } from '../ui/dialog.tsx'
import { RollBackDialog } from './roll-back-dialog.tsx'
import { counted } from './rollout-words.ts'
import type { RolloutChange } from './use-rollout-change.ts'

/** Halt or resume, and roll back, for whoever may publish what the rollout holds. */
export function RolloutActions({ rollout, change }: { rollout: RolloutDetail; change: RolloutChange }) {
  const dialog = useDialog()
  const navigate = useNavigate()
  const current = rollout.parts.filter(({ isCurrent }) => isCurrent)
  const isHalted = current.some(({ haltedAt }) => haltedAt !== undefined)
  const { counts } = rollout
  const open = counts.downloading + counts.waiting + counts.offline

  async function rollBack() {
    const id = await dialog.open<string>((close) => <RollBackDialog rollout={rollout} onRollBack={change.rollBack} close={close} />)
    if (id) void navigate(`/codedm/rollouts/${id}`)
  }

  return (
    <>
      {isHalted ? (
        <Button icon={Play} busy={change.isResuming} busyLabel="Resuming" onClick={change.resume}>
          Resume rollout
        </Button>
      ) : (
        <Button
          icon={Pause}
          disabledReason={
            current.length === 0 ? 'Something newer was published since.' : open === 0 ? 'No reader is left to wait.' : undefined
          }
          onClick={() =>
            dialog.open<boolean>((close) => (
              <Confirm title="Halt this rollout?" close={close} yes="Halt" onYes={change.halt} busyLabel="Halting">
                {counted(open, 'reader')} will wait until you resume it. A reader that is being written to is finished first.
              </Confirm>
            ))
          }
        >
          Halt rollout
        </Button>
      )}
      <Button variant="danger" icon={Undo2} disabledReason={whyNot(rollout)} onClick={rollBack}>
        Roll back…
      </Button>
    </>
  )
}

function whyNot({ parts }: RolloutDetail): string | undefined {
  const current = parts.filter(({ isCurrent }) => isCurrent)
  if (current.length === 0) return 'Something newer was published since.'
  if (current.every(({ previous }) => previous === undefined)) return 'Nothing was published for these readers before.'
  return undefined
}
