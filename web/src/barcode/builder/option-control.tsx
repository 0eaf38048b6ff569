import type { OneOfOption, Option, SelectionValue } from '@lectern/contract/barcode/catalogue.ts'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import { RadioGroup } from '../../ui/input/radio-group.tsx'
import { Select } from '../../ui/input/select.tsx'
import { TriStateCheckbox } from '../../ui/input/tri-state-checkbox.tsx'
import { ValueControl } from './value-control.tsx'

interface OptionControlProps {
  option: Option
  value: SelectionValue | undefined
  problem: string | undefined
  labelledBy: string
  describedBy: string
  /** Undefined: the reader's value stays. */
  onChange: (value: SelectionValue | undefined) => void
}

/** Up to so many choices are radios; more are a select (spec §9). */
const mostRadios = 3
const noChange = { value: 'no change', label: 'No change' }

export function OptionControl({ option, value, problem, labelledBy, describedBy, onChange }: OptionControlProps) {
  switch (option.type) {
    case 'boolean':
      if (option.enabledCmd && option.disabledCmd)
        return (
          <TriStateCheckbox
            showsLabel
            className="option-switch"
            label={option.label}
            aria-describedby={describedBy}
            value={typeof value === 'boolean' ? value : 'indeterminate'}
            onChange={(next) => onChange(next === 'indeterminate' ? undefined : next)}
          />
        )
      return <OneWaySwitch option={option} value={value} describedBy={describedBy} onChange={onChange} />
    case 'oneOf':
      return <Choice option={option} value={value} labelledBy={labelledBy} describedBy={describedBy} onChange={onChange} />
    case 'multi':
      return <p className="option-hint">Not implemented</p>
    default:
      return (
        <ValueControl
          option={option}
          value={value}
          problem={problem}
          labelledBy={labelledBy}
          describedBy={describedBy}
          onChange={onChange}
        />
      )
  }
}

type OneWaySwitchProps = Pick<OptionControlProps, 'value' | 'describedBy' | 'onChange'> & { option: Extract<Option, { type: 'boolean' }> }

function OneWaySwitch({ option, value, describedBy, onChange }: OneWaySwitchProps) {
  const side = option.disabledCmd === null
  const word = side ? 'On' : 'Off'
  return (
    <Checkbox
      className="option-switch"
      aria-label={`${option.label}: ${word}`}
      aria-describedby={describedBy}
      disabled={option.evidence === 'unknown'}
      checked={value === side}
      onChange={(event) => onChange(event.target.checked ? side : undefined)}
    >
      <span className="tri-state-label">{option.label}</span>
      <span className="tri-state-word">{value === side ? word : 'No change'}</span>
    </Checkbox>
  )
}

function Choice({
  option,
  value,
  labelledBy,
  describedBy,
  onChange,
}: Omit<OptionControlProps, 'problem' | 'option'> & { option: OneOfOption }) {
  const choices = [noChange, ...option.choices.map(({ id, name }) => ({ value: id, label: name }))]
  const chosen = value === undefined ? noChange.value : String(value)
  const choose = (next: string) => onChange(next === noChange.value ? undefined : next)
  if (option.choices.length <= mostRadios)
    return <RadioGroup label={option.label} aria-describedby={describedBy} options={choices} value={chosen} onChange={choose} />
  return (
    <Select
      className="option-select"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      options={choices}
      value={chosen}
      onChange={choose}
    />
  )
}
