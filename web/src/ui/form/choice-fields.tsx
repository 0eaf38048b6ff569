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
  /** In place of the schema's. */
  hint?: ReactNode
  /** The control; `error` is what is wrong with its value. */
  children: (control: ControllerRenderProps, error: string | undefined) => ReactNode
}

/** A field of a form over a schema whose control is not an input of the browser's. */
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
  /** In place of the schema's. */
  hint?: ReactNode
  placeholder?: string
  /** Called after the form has the new value. */
  onChange?: (value: string) => void
}

/** One of several values of a form over a schema, from a menu. */
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
  /** Puts the values below each other. */
  stacked?: boolean
}

/** One of few values of a form over a schema, all in sight. */
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

/** A yes or no of a form over a schema. */
export function CheckboxField({ name, label }: { name: string; label?: ReactNode }) {
  const { register } = useFormContext()
  const { label: ownLabel } = useBoundField(name)
  return <Checkbox {...register(name)}>{label ?? ownLabel}</Checkbox>
}

/** A time of day of a form over a schema: `HH:mm`, empty, or what was typed where it is no time. */
export const TimeField = ({ name }: { name: string }) => (
  <ControlledField name={name}>
    {({ value, onChange, ...field }) => <TimeInput {...field} value={value} onChange={(time, text) => onChange(time || text)} />}
  </ControlledField>
)
