import type { ReactNode } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import { Checkbox } from '../input/checkbox.tsx'
import { RadioGroup } from '../input/radio-group.tsx'
import { Select } from '../input/select.tsx'
import { useBoundField } from './bound-form.tsx'
import { Field } from './field.tsx'

interface ChoiceProps {
  name: string
  options: readonly { value: string; label: string; disabled?: boolean }[]
  /** In place of the schema's. */
  hint?: ReactNode
  placeholder?: string
}

/** One of several values of a form over a schema, from a menu. */
export function SelectField({ name, options, hint, placeholder }: ChoiceProps) {
  const { control } = useFormContext()
  const { label, hint: ownHint, required, error } = useBoundField(name)
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange, onBlur, ref } }) => (
        <Field label={label} required={required} error={error} hint={hint ?? ownHint}>
          <Select options={options} placeholder={placeholder} value={value} onChange={onChange} onBlur={onBlur} ref={ref} />
        </Field>
      )}
    />
  )
}

/** The same for few values that are all in sight. */
export function RadioField({ name, options, hint }: ChoiceProps) {
  const { control } = useFormContext()
  const { label, hint: ownHint, error } = useBoundField(name)
  const below = error ?? hint ?? ownHint
  return (
    <div className="field">
      <span className="field-label" aria-hidden="true">
        {label}
      </span>
      <Controller
        control={control}
        name={name}
        render={({ field: { value, onChange } }) => <RadioGroup label={label} options={options} value={value} onChange={onChange} />}
      />
      {below && <span className="field-hint">{below}</span>}
    </div>
  )
}

/** A yes or no of a form over a schema. */
export function CheckboxField({ name }: { name: string }) {
  const { register } = useFormContext()
  const { label } = useBoundField(name)
  return <Checkbox {...register(name)}>{label}</Checkbox>
}
