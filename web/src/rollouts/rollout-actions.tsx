import { type LimitedZone, type RolloutDetail, type RolloutPart, sumOfCounts } from '@lectern/contract/rollouts.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { Pause, Play, Undo2 } from 'lucide-react'
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
  const organizationId = useOrganization()
  const dialog = useDialog()
  const navigate = useNavigate()
  const current = rollout.parts.filter(({ isCurrent }) => isCurrent)
  const running = current.filter(({ haltedAt }) => haltedAt === undefined)
  const isHalted = running.length < current.length
  // The safety limit halts single zones: the others can still be halted by hand.
  const { downloading, waiting, offline } = sumOfCounts(running.map(({ counts }) => counts))
  const open = downloading + waiting + offline

  const halt = () =>
    dialog.open<boolean>((close) => (
      <Confirm title="Halt this rollout?" close={close} yes="Halt" onYes={change.halt} busyLabel="Halting">
        {counted(open, 'reader')} will wait until you resume it. A reader that is being written to is finished first.
      </Confirm>
    ))

  function resume() {
    const zones = listLimitedZones(rollout)
    if (zones.length === 0) return change.resume()
    void dialog.open<boolean>((close) => (
      <Confirm title="Resume this rollout?" close={close} yes="Resume" onYes={change.resumeInDialog} busyLabel="Resuming">
        The safety limit has halted {formatLimitedZones(zones)}. Once resumed, {zones.length === 1 ? 'it is' : 'they are'} not halted by it
        again in this rollout, unless the limit is changed.
      </Confirm>
    ))
  }

  async function rollBack() {
    const id = await dialog.open<string>(async (close) => {
      const { RollBackDialog } = await import('./roll-back-dialog.tsx')
      return <RollBackDialog organizationId={organizationId} rollout={rollout} onRollBack={change.rollBack} close={close} />
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
      {(!isHalted || open > 0) && (
        <Button icon={Pause} disabledReason={explainNoHalt(current, open)} onClick={halt}>
          Halt rollout
        </Button>
      )}
      <Button variant="danger" icon={Undo2} disabledReason={explainNoRollBack(current)} onClick={rollBack}>
        Roll back…
      </Button>
    </>
  )
}

function explainNoHalt(current: readonly RolloutPart[], open: number): string | undefined {
  if (current.length === 0) return 'Something newer was published.'
  return open === 0 ? 'No reader is waiting.' : undefined
}

function explainNoRollBack(current: readonly RolloutPart[]): string | undefined {
  if (current.length === 0) return 'Something newer was published.'
  if (current.every(({ previous }) => previous === undefined)) return 'Nothing was published for these readers before.'
  return undefined
}

/** The zones that stay above the limit when they are resumed; a zone halted by a previous limit may be below it. */
function listLimitedZones({ parts, safetyLimit: { haltAbovePercent, zones } }: RolloutDetail): LimitedZone[] {
  const isCurrent = (zoneId: string) => parts.some((part) => part.isCurrent && part.zoneId === zoneId)
  return zones.filter(
    ({ zoneId, isResumed, failed, readers }) => !isResumed && isCurrent(zoneId) && failed * 100 > (haltAbovePercent ?? 100) * readers,
  )
}

const formatLimitedZones = ([first, ...others]: readonly LimitedZone[]): string =>
  `${first!.zone} with ${formatShare(first!.failed, first!.readers)} failed${others.length > 0 ? `, and ${counted(others.length, 'more zone')}` : ''}`
