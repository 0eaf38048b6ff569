import { type KeyboardEvent, useRef } from 'react'
import './select.css'
import { Check, ChevronsUpDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import type { Ref } from 'react'
import { classNames } from '../class-names.ts'
import { Ellipsis } from '../feedback/ellipsis.tsx'
import { useFieldAttributes } from '../form/field.tsx'
import { TypedSelect } from './typed-select.tsx'

export interface SelectOption {
  /** Never empty (spec §5): "No change" has a value of its own. */
  value: string
  label: string
  disabled?: boolean
}

interface SelectProps {
  options: readonly SelectOption[]
  value: string | undefined
  onChange: (value: string) => void
  placeholder?: string
  shown?: string | undefined
  label?: string
  id?: string
  name?: string
  disabled?: boolean
  onBlur?: () => void
  ref?: Ref<HTMLButtonElement>
  className?: string
  'aria-describedby'?: string
  'aria-labelledby'?: string
  'aria-invalid'?: boolean
}

/** Longer lists are typed into, as a menu of thousands takes seconds to open. */
const mostListed = 400

export function Select(props: SelectProps) {
  const { ref, ...own } = props
  if (props.options.length <= mostListed) return <ListedSelect {...props} />
  // A form only focuses it, which both elements can be.
  return <TypedSelect {...own} ref={ref as Ref<HTMLElement> as Ref<HTMLInputElement>} />
}

/**
 * Opens with Space, Enter or the arrow keys. Typing finds an option; the typed text is reset after 1 s. The menu stays 10 px from the edge
 * of the window (spec §9).
 */
function ListedSelect({
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
  const text = shown ?? options.find((option) => option.value === value)?.label
  const typeOption = useOptionTyping()
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
        <Radix.Value placeholder={placeholder}>{text && <Ellipsis>{text}</Ellipsis>}</Radix.Value>
        <Radix.Icon asChild>
          <ChevronsUpDown size={14} />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="select-menu" position="popper" sideOffset={2} collisionPadding={10} onKeyDownCapture={typeOption}>
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

/** Milliseconds after which typed text is forgotten (spec §9). */
const remembered = 1_000

// For an open menu: focuses the typed option within the key's own event. Radix does so in a timer after it, so that on a busy machine an
// Enter that follows fast would choose the option before.
function useOptionTyping(): (event: KeyboardEvent<HTMLElement>) => void {
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY })
  return (event) => {
    if (event.key.length !== 1 || event.ctrlKey || event.altKey || event.metaKey) return
    const before = event.timeStamp - typed.current.at < remembered ? typed.current.text : ''
    // Within a name a space is typed; elsewhere it chooses.
    if (event.key === ' ' && before === '') return
    event.preventDefault()
    event.stopPropagation()
    typed.current = { text: before + event.key.toLowerCase(), at: event.timeStamp }
    findOption(event.currentTarget, typed.current.text)?.focus()
  }
}

/** Searches from the focused option on; for one letter, after it, so that repeating the letter leads to each option that begins with it. */
function findOption(menu: HTMLElement, text: string): HTMLElement | undefined {
  const options = [...menu.querySelectorAll<HTMLElement>('[role=option]:not([data-disabled])')]
  const search = text === text.charAt(0).repeat(text.length) ? text.charAt(0) : text
  const focused = options.indexOf(document.activeElement as HTMLElement)
  const from = search.length === 1 ? focused + 1 : Math.max(0, focused)
  const inTurn = [...options.slice(from), ...options.slice(0, from)]
  return inTurn.find(({ textContent }) => textContent.trim().toLowerCase().startsWith(search))
}
