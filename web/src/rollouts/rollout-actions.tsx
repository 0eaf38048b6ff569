import './rollout-actions.css'
import { defaultUpdateTime } from '@lectern/contract/publications/update-time.ts'
import { type LimitedZone, RollBackInput, type RolloutDetail, type RolloutPart, sumOfCounts } from '@lectern/contract/rollouts.ts'
import { field } from '@lectern/contract/text/fields.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { Pause, Play, Undo2 } from 'lucide-react'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { useContractForm } from '../lib/form/contract-form.ts'
import { formatShare } from '../lib/share.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { Confirm } from '../ui/dialog/confirm.tsx'
import { type Close, useDialog } from '../ui/dialog/dialog.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { RadioField, TimeField } from '../ui/form/choice-fields.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import type { RolloutChange } from './use-rollout-change.ts'

interface RolloutActionsProps {
  rollout: RolloutDetail
  change: RolloutChange
}

export function RolloutActions({ rollout, change }: RolloutActionsProps) {
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

const RollBackForm = z.extend(RollBackInput, { when: field(z.enum(['now', 'later']), { label: 'When' }) })
const times = [
  { value: 'now', label: 'Now' },
  { value: 'later', label: 'At' },
]

interface RollBackDialogProps {
  rollout: RolloutDetail
  onRollBack: (updateTime: string | null) => Promise<string>
  close: Close<string>
}

/** Publishes what the readers had before. Resolves with the id of the new rollout. */
function RollBackDialog({ rollout: { parts }, onRollBack, close }: RollBackDialogProps) {
  const toTime = ({ when, updateTime }: { when: string; updateTime: string }) => (when === 'later' ? updateTime : null)
  const bound = useContractForm({
    schema: RollBackForm,
    values: { when: 'now', updateTime: parts[0]?.updateTime ?? defaultUpdateTime },
    toInput: (values) => ({ when: values.when, updateTime: toTime(values) }),
    save: (values) => onRollBack(toTime(values)),
    onSaved: (id) => close(id),
  })
  return (
    <FormDialog title="Roll back this rollout?" bound={bound} submit={['Roll back', 'Publishing']} destructive close={close}>
      <p>What these readers had before is published again, as a new rollout.</p>
      <RollBackParts parts={parts} />
      <RadioField name="when" options={times} />
      {bound.form.watch('when') === 'later' && <TimeField name="updateTime" />}
    </FormDialog>
  )
}

function RollBackParts({ parts }: { parts: readonly RolloutPart[] }) {
  const current = parts.filter(({ isCurrent }) => isCurrent)
  const unknown = current.filter(({ previous }) => previous === undefined)
  const replaced = parts.filter(({ isCurrent }) => !isCurrent)
  return (
    <>
      <ul className="rollout-back">
        {current
          .filter(({ previous }) => previous !== undefined)
          .map((part) => (
            <li key={part.publication}>
              <b>{formatPlace(part)}</b>
              <span>{part.previous}</span>
            </li>
          ))}
      </ul>
      {unknown.length > 0 && (
        <Notice>Nothing was published before for these, which stay as they are: {unknown.map(formatPlace).join('; ')}.</Notice>
      )}
      {replaced.length > 0 && (
        <Notice>Something newer was published for these, which stays: {replaced.map(formatPlace).join('; ')}.</Notice>
      )}
    </>
  )
}

const formatPlace = ({ zone, deviceType }: RolloutPart): string => `${zone}, ${deviceType}`
