import { Check, ChevronsUpDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import type { Ref } from 'react'
import { classNames } from '../class-names.ts'
import { useFieldAttributes } from '../form/field.tsx'

export type SelectOption = {
  /** Never the empty string (spec §5): "No change" is a value of its own. */
  value: string
  label: string
  disabled?: boolean
}

type SelectProps = {
  options: readonly SelectOption[]
  /** Undefined or empty: nothing chosen, the placeholder shows. */
  value: string | undefined
  onChange: (value: string) => void
  placeholder?: string
  /** In place of the chosen option's label, where that is too long for the closed select. */
  shown?: string | undefined
  /** Its name where no field is around. */
  label?: string
  id?: string
  name?: string
  disabled?: boolean
  onBlur?: () => void
  /** Its closed form, which takes focus. */
  ref?: Ref<HTMLButtonElement>
  className?: string
  'aria-describedby'?: string
  'aria-labelledby'?: string
  'aria-invalid'?: boolean
}

/**
 * One of more than three choices. Opens with Space, Enter or the arrow keys; typing finds an option (the text typed so far is
 * forgotten after 1 s); the menu keeps 10 px from the edge of the window (spec §9).
 */
export function Select({
  options,
  value,
  onChange,
  placeholder,
  shown,
  label,
  name,
  disabled,
  onBlur,
  ref,
  className,
  ...own
}: SelectProps) {
  if (options.some((option) => option.value === '')) throw new Error('A select item must not have the empty string as its value')
  const { 'aria-labelledby': labelledBy, ...attributes } = own
  const { 'aria-required': required, ...field } = useFieldAttributes(attributes)
  return (
    <Radix.Root value={value ?? ''} onValueChange={onChange} name={name} disabled={disabled} required={required === true}>
      <Radix.Trigger
        ref={ref}
        {...field}
        aria-label={label}
        aria-labelledby={labelledBy}
        className={classNames('select', className)}
        onBlur={onBlur}
      >
        <Radix.Value placeholder={placeholder}>{shown}</Radix.Value>
        <Radix.Icon asChild>
          <ChevronsUpDown size={14} />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="select-menu" position="popper" sideOffset={2} collisionPadding={10}>
          <Radix.Viewport className="select-options">
            {options.map((option) => (
              <Radix.Item key={option.value} value={option.value} disabled={option.disabled} className="select-option">
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator>
                  <Check size={14} />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
