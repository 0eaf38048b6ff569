import './roll-back-dialog.css'
import { defaultUpdateTime } from '@lectern/contract/publications/update-time.ts'
import { RollBackInput, type RolloutDetail, type RolloutPart } from '@lectern/contract/rollouts.ts'
import { field } from '@lectern/contract/text/fields.ts'
import * as z from 'zod/mini'
import { useContractForm } from '../lib/form/contract-form.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { RadioField, TimeField } from '../ui/form/choice-fields.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'

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
export function RollBackDialog({ rollout: { parts }, onRollBack, close }: RollBackDialogProps) {
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
