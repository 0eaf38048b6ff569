import { RolloutNameInput } from '@lectern/contract/publications/rollout-name.ts'
import { fieldRules, fieldSentence } from '@lectern/contract/text/fields.ts'
import { useState } from 'react'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/input/input.tsx'
import { findNameProblem, isPartlySent, type WizardState } from '../wizard.ts'

const { label, hint, longest } = fieldRules(RolloutNameInput, 'name')

interface RolloutNameProps {
  state: WizardState
  isBusy: boolean
  onName: (name: string) => void
}

/** A key changes this field alone, so that a choice of thousands of zones is not shown anew. */
export function RolloutNameField({ state, isBusy, onName }: RolloutNameProps) {
  const [name, setName] = useState(state.rolloutName ?? '')
  const isSent = isPartlySent(state)
  const problem = findNameProblem(state)
  return (
    <Field
      label={label}
      hint={isSent ? 'Some of it was sent. The rollout can be named anew on its page.' : hint}
      error={problem && fieldSentence(label, problem)}
      className="border-b border-rule p-4"
    >
      <Input
        className="max-w-112"
        value={name}
        maxLength={longest}
        autoComplete="off"
        placeholder="Such as Clinic go-live"
        disabled={isBusy || isSent}
        onChange={(event) => setName(event.target.value)}
        onBlur={() => onName(name)}
      />
    </Field>
  )
}
