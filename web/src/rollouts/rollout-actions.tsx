import { type LimitedZone, type RolloutDetail, sumOfCounts } from '@lectern/contract/rollouts.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { Pause, Play, Undo2 } from 'lucide-react'
import { useNavigate } from 'react-router'
import { share } from '../lib/share.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { Confirm } from '../ui/dialog/confirm.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { RollBackDialog } from './roll-back-dialog.tsx'
import type { RolloutChange } from './use-rollout-change.ts'

/** Halt or resume, and roll back, for whoever may publish what the rollout holds. */
export function RolloutActions({ rollout, change }: { rollout: RolloutDetail; change: RolloutChange }) {
  const dialog = useDialog()
  const navigate = useNavigate()
  const current = rollout.parts.filter(({ isCurrent }) => isCurrent)
  const isHalted = current.some(({ haltedAt }) => haltedAt !== undefined)
  // The safety limit halts single zones: the others can still be halted by hand.
  const { downloading, waiting, offline } = sumOfCounts(
    current.filter(({ haltedAt }) => haltedAt === undefined).map(({ counts }) => counts),
  )
  const open = downloading + waiting + offline
  const { haltAbovePercent, zones } = rollout.safetyLimit
  // What only a former limit has halted does not go past this one.
  const limited = zones.filter(
    ({ zoneId, isResumed, failed, readers }) =>
      !isResumed && current.some((part) => part.zoneId === zoneId) && failed * 100 > (haltAbovePercent ?? 100) * readers,
  )

  function resume() {
    if (limited.length === 0) return change.resume()
    void dialog.open<boolean>((close) => (
      <Confirm title="Resume this rollout?" close={close} yes="Resume" onYes={change.resumeAsked} busyLabel="Resuming">
        The safety limit has halted {zonesIn(limited)}. Once resumed, {limited.length === 1 ? 'it is' : 'they are'} not halted by it again
        in this rollout, unless the limit is changed.
      </Confirm>
    ))
  }

  async function rollBack() {
    const id = await dialog.open<string>((close) => <RollBackDialog rollout={rollout} onRollBack={change.rollBack} close={close} />)
    if (id) void navigate(paths.rollout({ id }))
  }

  return (
    <>
      {isHalted && (
        <Button icon={Play} busy={change.isResuming} busyLabel="Resuming" onClick={resume}>
          Resume rollout
        </Button>
      )}
      {(!isHalted || open > 0) && (
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

/** Zones in words, the first with its figures. */
const zonesIn = ([first, ...others]: readonly LimitedZone[]): string =>
  `${first!.zone} with ${share(first!.failed, first!.readers)} failed${others.length > 0 ? `, and ${counted(others.length, 'more zone')}` : ''}`

function whyNot({ parts }: RolloutDetail): string | undefined {
  const current = parts.filter(({ isCurrent }) => isCurrent)
  if (current.length === 0) return 'Something newer was published since.'
  if (current.every(({ previous }) => previous === undefined)) return 'Nothing was published for these readers before.'
  return undefined
}
