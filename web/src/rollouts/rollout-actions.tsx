import type { HaltedZone } from '@lectern/contract/publications/safety-limit.ts'
import type { RolloutDetail } from '@lectern/contract/rollouts/rollouts.ts'
import { counted, nounOfUpdates } from '@lectern/contract/text/numbers.ts'
import { useQueryClient } from '@tanstack/react-query'
import { CalendarClock, Pause, Play, Undo2 } from 'lucide-react'
import { useNavigate } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { formatShare } from '../lib/share.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { Confirm } from '../ui/dialog/confirm.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import type { RolloutChange } from './use-rollout-change.ts'

interface RolloutActionsProps {
  rollout: RolloutDetail
  change: RolloutChange
}

export function RolloutActions({ rollout, change }: RolloutActionsProps) {
  const dialog = useDialog()
  const navigate = useNavigate()
  const organizationId = useOrganization()
  const { isHalted, haltable } = rollout
  const [first] = rollout.safetyLimit.zones
  const { halting } = rollout.safetyLimit

  const halt = () =>
    dialog.open<boolean>((close) => (
      <Confirm title="Halt this rollout?" close={close} yes="Halt" onYes={change.halt} busyLabel="Halting">
        {counted(haltable, nounOfUpdates(rollout.kinds))} will wait until you resume it. A reader that is being written to is finished
        first.
      </Confirm>
    ))

  const gated = rollout.phases.find(({ state }) => state === 'halted')

  function resume() {
    if ((!first || halting === 0) && !gated) return change.resume()
    void dialog.open<boolean>((close) => (
      <Confirm title="Resume this rollout?" close={close} yes="Resume" onYes={change.resumeInDialog} busyLabel="Resuming">
        {gated &&
          `The gate of phase ${gated.number} has halted it. Once resumed, the rest of that phase may begin, and the next phase begins by hand.`}
        {gated && halting > 0 && ' '}
        {first && halting > 0 && <ResumedZones first={first} halting={halting} />}
      </Confirm>
    ))
  }

  async function rollBack() {
    const id = await dialog.open<string>(async (close) => {
      const { RollBackDialog } = await import('./roll-back-dialog.tsx')
      return (
        <RollBackDialog organizationId={organizationId} id={rollout.id} waiting={haltable} onRollBack={change.rollBack} close={close} />
      )
    })
    if (id) void navigate(paths.rollout({ id }))
  }

  return (
    <>
      {isHalted && (
        <Button icon={Play} busy={change.isResuming} busyLabel="Resuming" onClick={resume}>
          Resume rollout
        </Button>
      )}
      {canMove(rollout) && <MoveRollout rollout={rollout} />}
      {/* Shown also while the safety limit halts single zones: the others can still be halted by hand. */}
      {(!isHalted || haltable > 0) && (
        <Button icon={Pause} disabledReason={explainNoHalt(rollout)} onClick={halt}>
          Halt rollout
        </Button>
      )}
      <Button variant="danger" icon={Undo2} disabledReason={explainNoRollBack(rollout)} onClick={rollBack}>
        Roll back…
      </Button>
    </>
  )
}

function ResumedZones({ first, halting }: { first: HaltedZone; halting: number }) {
  return (
    <>
      The safety limit has halted {first.zone} with {formatShare(first.failed, first.readers)} failed
      {halting > 1 && `, and ${counted(halting - 1, 'more zone')}`}. Once resumed, {halting === 1 ? 'it is' : 'they are'} not halted by it
      again in this rollout, unless the limit is changed.
    </>
  )
}

function MoveRollout({ rollout }: { rollout: RolloutDetail }) {
  const organizationId = useOrganization()
  const client = useQueryClient()
  const dialog = useDialog()
  const move = () =>
    dialog.open<void>(async (close) => {
      const { MoveDialog, readMovePlan } = await import('./move/move-dialog.tsx')
      const movable = { organizationId, id: rollout.id, title: rollout.name ?? rollout.title }
      return <MoveDialog {...movable} plan={await readMovePlan(client, movable)} close={close} />
    })
  return (
    <Button icon={CalendarClock} onClick={move}>
      Start or move…
    </Button>
  )
}

// For a rollout that is summed only the server knows what waits for its time.
const canMove = ({ current, counts, state, runs, isSummed }: RolloutDetail): boolean =>
  current > 0 && counts.waiting > 0 && (state === 'scheduled' || runs.length > 0 || isSummed)

function explainNoHalt({ current, haltable }: RolloutDetail): string | undefined {
  if (current === 0) return 'Something newer was published.'
  return haltable === 0 ? 'No reader is waiting.' : undefined
}

const explainNoRollBack = ({ canRollBack }: RolloutDetail): string | undefined =>
  canRollBack ? undefined : 'Something newer was published, or it was rolled back.'
