import type { ReactNode } from 'react'
import { Controller, type ControllerRenderProps, useFormContext } from 'react-hook-form'
import { Checkbox } from '../input/checkbox.tsx'
import { RadioGroup } from '../input/radio-group.tsx'
import { Select } from '../input/select.tsx'
import { TimeInput } from '../input/time-input.tsx'
import { useBoundField } from './bound-form.tsx'
import { Field, FieldError } from './field.tsx'

interface ControlledFieldProps {
  name: string
  hint?: ReactNode
  children: (control: ControllerRenderProps, error: string | undefined) => ReactNode
}

export function ControlledField({ name, hint, children }: ControlledFieldProps) {
  const { control } = useFormContext()
  const { label, hint: ownHint, required, error } = useBoundField(name)
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <Field label={label} required={required} error={error} hint={hint ?? ownHint}>
          {children(field, error)}
        </Field>
      )}
    />
  )
}

interface ChoiceProps {
  name: string
  options: readonly { value: string; label: string; disabled?: boolean }[]
  hint?: ReactNode
  placeholder?: string
  onChange?: (value: string) => void
}

export const SelectField = ({ name, options, hint, placeholder, onChange: onChanged }: ChoiceProps) => (
  <ControlledField name={name} hint={hint}>
    {({ value, onChange, onBlur, ref }) => (
      <Select
        options={options}
        placeholder={placeholder}
        value={value}
        onChange={(next) => {
          onChange(next)
          onChanged?.(next)
        }}
        onBlur={onBlur}
        ref={ref}
      />
    )}
  </ControlledField>
)

interface RadioProps extends Omit<ChoiceProps, 'placeholder'> {
  stacked?: boolean
}

export function RadioField({ name, options, hint, onChange: onChanged, stacked }: RadioProps) {
  const { control } = useFormContext()
  const { label, hint: ownHint, error } = useBoundField(name)
  const below = hint ?? ownHint
  return (
    <div className="field">
      <span className="field-label" aria-hidden="true">
        {label}
      </span>
      <Controller
        control={control}
        name={name}
        render={({ field: { value, onChange } }) => (
          <RadioGroup
            className={stacked ? 'radio-group-stacked' : undefined}
            label={label}
            options={options}
            value={value}
            onChange={(next) => {
              onChange(next)
              onChanged?.(next)
            }}
          />
        )}
      />
      {error && (
        <div role="alert">
          <FieldError>{error}</FieldError>
        </div>
      )}
      {below && <span className="field-hint">{below}</span>}
    </div>
  )
}

export function CheckboxField({ name, label }: { name: string; label?: ReactNode }) {
  const { register } = useFormContext()
  const { label: ownLabel } = useBoundField(name)
  return <Checkbox {...register(name)}>{label ?? ownLabel}</Checkbox>
}

/** `HH:mm`, '' or the typed text where it is no time. */
export const TimeField = ({ name }: { name: string }) => (
  <ControlledField name={name}>
    {({ value, onChange, ...field }) => <TimeInput {...field} value={value} onChange={(time, text) => onChange(time || text)} />}
  </ControlledField>
)
