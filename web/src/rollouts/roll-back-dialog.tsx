import { defaultUpdateTime } from '@lectern/contract/publications/update-time.ts'
import type { RolloutDetail, RolloutPart } from '@lectern/contract/rollouts.ts'
import { useState } from 'react'
import { Button } from '../ui/button/button.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Field } from '../ui/form/field.tsx'
import { Saving } from '../ui/form/saving.tsx'
import { RadioGroup } from '../ui/input/radio-group.tsx'
import { TimeInput } from '../ui/input/time-input.tsx'

const times = [
  { value: 'now', label: 'At once' },
  { value: 'later', label: 'At an update time' },
]

interface RollBackDialogProps {
  rollout: RolloutDetail
  /** Publishes what readers had before, at once where no time is given; answers the id of the new rollout. */
  onRollBack: (updateTime: string | null) => Promise<string>
  close: Close<string>
}

/** Asks when readers shall have what they had before, and has that published. Closes with the id of the new rollout. */
export function RollBackDialog({ rollout, onRollBack, close }: RollBackDialogProps) {
  const [when, setWhen] = useState('now')
  const [time, setTime] = useState(rollout.parts[0]?.updateTime ?? defaultUpdateTime)
  const [error, setError] = useState<string>()
  const [isPublishing, setPublishing] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [possible, missing, replaced] = sorted(rollout.parts)

  async function submit() {
    if (when === 'later' && time === '') return setError('Enter a time of day, such as 02:00.')
    setFailure(undefined)
    setPublishing(true)
    try {
      close(await onRollBack(when === 'later' ? time : null))
    } catch (error) {
      setFailure((error as Error).message)
    } finally {
      setPublishing(false)
    }
  }

  return (
    <DialogPanel
      title="Roll back this rollout?"
      saving={isPublishing}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button data-autofocus disabled={isPublishing} onClick={() => close()}>
            Back
          </Button>
          <Button variant="bad" type="submit" busy={isPublishing} busyLabel="Publishing">
            Roll back
          </Button>
        </>
      }
    >
      <Saving busy={isPublishing} className="grid gap-3">
        <p>What these readers had before is published again, as a new rollout.</p>
        <ul className="rollout-back">
          {possible.map((part) => (
            <li key={part.publication}>
              <b>{formatPlace(part)}</b>
              <span>{part.previous}</span>
            </li>
          ))}
        </ul>
        {missing.length > 0 && (
          <Notice>Nothing was published before for these, which stay as they are: {missing.map(formatPlace).join('; ')}.</Notice>
        )}
        {replaced.length > 0 && (
          <Notice>Something newer was published for these, which stays: {replaced.map(formatPlace).join('; ')}.</Notice>
        )}
        <RadioGroup label="When" options={times} value={when} onChange={setWhen} />
        {when === 'later' && (
          <Field label="Update time" hint="On the clock of each zone’s host PC." error={error}>
            <TimeInput
              value={time}
              onChange={(next) => {
                setTime(next)
                setError(undefined)
              }}
            />
          </Field>
        )}
        {failure && <Notice kind="bad">{failure}</Notice>}
      </Saving>
    </DialogPanel>
  )
}

const formatPlace = ({ zone, deviceType }: RolloutPart): string => `${zone}, ${deviceType}`

/** The parts that can be rolled back, those that had nothing before, and those that have something newer. */
function sorted(parts: readonly RolloutPart[]): [possible: RolloutPart[], missing: RolloutPart[], replaced: RolloutPart[]] {
  const current = parts.filter(({ isCurrent }) => isCurrent)
  return [
    current.filter(({ previous }) => previous !== undefined),
    current.filter(({ previous }) => previous === undefined),
    parts.filter(({ isCurrent }) => !isCurrent),
  ]
}
