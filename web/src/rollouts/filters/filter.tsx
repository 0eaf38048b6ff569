import { Select } from '../../ui/input/select.tsx'

interface FilterProps<Value extends string> {
  label: string
  none: string
  options: readonly (readonly [value: Value, label: string])[]
  /** Empty for all. */
  value: Value | ''
  onChange: (value: Value | '') => void
  className?: string
  /** Of a value that is no option; itself where it is left out. */
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
  // The address may name what there is not.
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
