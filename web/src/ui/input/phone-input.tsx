import { type ChangeEvent, type ComponentProps, type FocusEvent, useEffect, useState } from 'react'
import { Input } from './input.tsx'

/** In characters. */
const longest = 40

interface PhoneInputProps extends Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'type' | 'defaultValue'> {
  value: string
  onChange: (value: string) => void
  /** The ISO 3166-1 code for numbers without a country code. */
  country: string
}

/** The mask is loaded with the first phone input (spec §7); without it the text stays as typed. */
export function PhoneInput({ value, onChange, country, onBlur, ...input }: PhoneInputProps) {
  const mask = useMask()

  function type({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    const text = target.value
    // Deleted text must not come back.
    if (!mask || text.length <= value.length || (nativeEvent as InputEvent).isComposing) return onChange(text)
    // Text that is corrected in its middle must not move.
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
      // A number can be typed without the mask.
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [])
  return mask
}
