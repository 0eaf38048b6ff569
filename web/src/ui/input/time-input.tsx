import { Clock } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { classNames } from '../class-names.ts'
import { Input } from './input.tsx'

interface TimeInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> {
  /** `HH:mm`, or empty. */
  value: string
  /** Called with `HH:mm`, or '' while the text is no time of day, and with the text. */
  onChange: (value: string, text: string) => void
}

/** Always on the 24-hour clock. Arrow keys change the hour or, right of the colon, the minute. */
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

/** Reads `2` and `02` as 02:00, `230` and `2.30` as 02:30; undefined for other text. */
export function parseTimeOfDay(text: string): string | undefined {
  const match = /^(\d{1,2})(?:[:.h ]?(\d{2}))?$/.exec(text.trim())
  if (!match) return undefined
  const hours = Number(match[1])
  const minutes = Number(match[2] ?? 0)
  return hours < 24 && minutes < 60 ? format(hours * 60 + minutes) : undefined
}

export function shiftTimeOfDay(time: string, minutes: number): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return format((hour * 60 + minute + minutes + 1440) % 1440)
}

function format(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
