import { Select } from '../../ui/input/select.tsx'

interface FilterProps<Value extends string> {
  label: string
  none: string
  options: readonly (readonly [value: Value, label: string])[]
  /** '' for all. */
  value: Value | ''
  onChange: (value: Value | '') => void
  className?: string
  /** Words for a value that is not among the options; absent: the value itself. */
  unknown?: string
}

const all = 'all'

export function Filter<Value extends string>({
  label,
  none,
  options,
  value,
  onChange,
  className = 'w-48',
  unknown = value,
}: FilterProps<Value>) {
  // The address may have a value that does not exist.
  const known = value === '' || options.some(([one]) => one === value) ? options : [...options, [value, unknown] as const]
  return (
    <Select
      className={className}
      label={label}
      options={[{ value: all, label: none }, ...known.map(([one, name]) => ({ value: one, label: name }))]}
      value={value || all}
      onChange={(next) => onChange(next === all ? '' : (next as Value))}
    />
  )
}
