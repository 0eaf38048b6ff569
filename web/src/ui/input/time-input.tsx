import { Clock } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { classNames } from '../class-names.ts'
import { Input } from './input.tsx'
import { parseTimeOfDay, shiftTimeOfDay } from './time-of-day.ts'

interface TimeInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> {
  /** `HH:mm`, or empty. */
  value: string
  /** Called with `HH:mm`, or empty while the text is no time of day; and with the text. */
  onChange: (value: string, text: string) => void
}

/** On the 24-hour clock in any browser language. Arrow keys change the hour or, right of the colon, the minute. */
export function TimeInput({ value, onChange, className, onBlur, ...input }: TimeInputProps) {
  // Undefined while the value is shown.
  const [typed, setTyped] = useState<string>()
  const text = typed ?? value
  const wrong = typed !== undefined && typed !== '' && parseTimeOfDay(typed) === undefined
  const [left, setLeft] = useState(false)

  function type(next: string) {
    setTyped(next)
    setLeft(false)
    onChange(parseTimeOfDay(next) ?? '', next)
  }

  function step(event: KeyboardEvent<HTMLInputElement>) {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    const time = parseTimeOfDay(text)
    if (direction === 0 || !time || input.readOnly) return
    event.preventDefault()
    const box = event.currentTarget
    const caret = box.selectionStart ?? 0
    type(shiftTimeOfDay(time, direction * (caret > 2 ? 1 : 60)))
    requestAnimationFrame(() => box.setSelectionRange(caret, caret))
  }

  return (
    <span className={classNames('time-input', className)}>
      <Input
        inputMode="numeric"
        autoComplete="off"
        placeholder="HH:mm"
        maxLength={5}
        {...input}
        aria-invalid={input['aria-invalid'] ?? ((wrong && left) || undefined)}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={step}
        onBlur={(event) => {
          setLeft(true)
          if (!wrong) setTyped(undefined)
          onBlur?.(event)
        }}
      />
      <Clock size={16} />
    </span>
  )
}
