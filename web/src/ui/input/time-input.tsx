import { Clock } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { classNames } from '../class-names.ts'
import { Input } from './input.tsx'
import { parseTimeOfDay, shiftTimeOfDay } from './time-of-day.ts'

type TimeInputProps = {
  /** `HH:mm`, or empty. */
  value: string
  /** Gets `HH:mm`, or the empty string while the text is no time of day; and the text. */
  onChange: (value: string, text: string) => void
} & Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'>

/** A time of day on the 24-hour clock, whatever the browser's language. Arrow keys move the hour or, right of the colon, the minute. */
export function TimeInput({ value, onChange, className, onBlur, ...input }: TimeInputProps) {
  // What is being typed; undefined while the value itself is shown.
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
