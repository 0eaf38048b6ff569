import './checkbox.css'
import { Check } from 'lucide-react'
import { classNames } from '../class-names.ts'

/** `indeterminate`: neither command is sent. */
export type TriState = boolean | 'indeterminate'

interface TriStateCheckboxProps {
  value: TriState
  onChange: (value: TriState) => void
  label: string
  showsLabel?: boolean
  disabled?: boolean
  className?: string
  'aria-describedby'?: string | undefined
}

/** Indeterminate, checked, unchecked, indeterminate (spec §4). */
export function nextTriState(value: TriState): TriState {
  if (value === 'indeterminate') return true
  return value ? false : 'indeterminate'
}

export function TriStateCheckbox({ value, onChange, label, showsLabel, disabled, className, ...described }: TriStateCheckboxProps) {
  const word = value === 'indeterminate' ? 'No change' : value ? 'On' : 'Off'
  return (
    // biome-ignore lint/a11y/useSemanticElements: a native checkbox shows its third state but cannot be clicked into it
    <button
      {...described}
      type="button"
      role="checkbox"
      aria-checked={value === 'indeterminate' ? 'mixed' : value}
      aria-label={label}
      disabled={disabled}
      className={classNames('checkbox tri-state', className)}
      onClick={() => onChange(nextTriState(value))}
      onKeyDown={(event) => {
        // A checkbox reacts to Space, not to Enter.
        if (event.key === 'Enter') event.preventDefault()
      }}
    >
      <span className="tri-state-mark">{value === true && <Check size={12} />}</span>
      {showsLabel && (
        <span className="tri-state-label" aria-hidden="true">
          {label}
        </span>
      )}
      <span className="tri-state-word" aria-hidden="true">
        {word}
      </span>
    </button>
  )
}
