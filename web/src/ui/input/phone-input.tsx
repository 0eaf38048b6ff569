import { type ChangeEvent, type ComponentProps, type FocusEvent, useEffect, useState } from 'react'
import { Input } from './input.tsx'

/** Longest text of a phone number, in characters. */
const longest = 40

type PhoneInputProps = {
  value: string
  onChange: (value: string) => void
  /** Where a number without a country code is from, by its ISO 3166-1 code. */
  country: string
} & Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'type' | 'defaultValue'>

/**
 * A telephone number as free text under a mask, the international way once it is left. The mask knows every country's numbers: a file
 * of its own, loaded when the first such input shows (spec §7). Until it is there, and should it not come, the text stays as typed.
 */
export function PhoneInput({ value, onChange, country, onBlur, ...input }: PhoneInputProps) {
  const mask = useMask()

  function type({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    const text = target.value
    // Nobody wants text to come back that they delete.
    if (!mask || text.length <= value.length || (nativeEvent as InputEvent).isComposing) return onChange(text)
    // Or to move that they correct in its middle.
    if (target.selectionStart === text.length) onChange(mask.whileTyped(text, country))
    else if (!mask.isTooLong(text, country)) onChange(text)
  }

  function leave(event: FocusEvent<HTMLInputElement>) {
    const left = mask?.onceLeft(value, country) ?? value
    if (left !== value) onChange(left)
    onBlur?.(event)
  }

  return <Input maxLength={longest} autoComplete="tel" {...input} type="tel" value={value} onChange={type} onBlur={leave} />
}

type Mask = typeof import('./phone-mask.ts').phoneMask

function useMask(): Mask | undefined {
  const [mask, setMask] = useState<Mask>()
  useEffect(() => {
    let current = true
    import('./phone-mask.ts').then(
      ({ phoneMask }) => current && setMask(phoneMask),
      // A number can be typed without it.
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [])
  return mask
}
