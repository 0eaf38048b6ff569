import './radio-group.css'
import { type ReactNode, useId } from 'react'
import { classNames } from '../class-names.ts'

export interface RadioOption {
  value: string
  label: string
  detail?: ReactNode
  disabled?: boolean
}

interface RadioGroupProps {
  label: string
  options: readonly RadioOption[]
  value: string | undefined
  onChange: (value: string) => void
  className?: string
  'aria-describedby'?: string | undefined
}

/** For up to three choices; use `Select` for more. */
export function RadioGroup({ label, options, value, onChange, className, ...described }: RadioGroupProps) {
  const name = useId()
  return (
    <fieldset {...described} className={classNames('radio-group', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="radio">
          <input
            type="radio"
            className="radio-mark"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

export function ChoiceCards({ label, options, value, onChange, className }: RadioGroupProps) {
  const name = useId()
  return (
    <fieldset className={classNames('choice-cards', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="choice-card">
          <input
            type="radio"
            className="radio-mark"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            aria-labelledby={`${name}-${option.value}`}
            aria-describedby={option.detail ? `${name}-${option.value}-detail` : undefined}
          />
          <span>
            <b id={`${name}-${option.value}`}>{option.label}</b>
            {option.detail && <em id={`${name}-${option.value}-detail`}>{option.detail}</em>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
