import { type ChangeEvent, type ComponentProps, type FocusEvent, useEffect, useState } from 'react'
import { Input } from './input.tsx'

/** In characters. */
const longest = 40

interface PhoneInputProps extends Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'type' | 'defaultValue'> {
  value: string
  onChange: (value: string) => void
  /** The ISO 3166-1 code of the country for numbers without a country code. */
  country: string
}

/** The mask is loaded with the first phone input (spec §7). Without it the text stays as typed. */
export function PhoneInput({ value, onChange, country, onBlur, ...input }: PhoneInputProps) {
  const mask = useMask()

  function type({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    const text = target.value
    // Deleted text must not be put back.
    if (!mask || text.length <= value.length || (nativeEvent as InputEvent).isComposing) return onChange(text)
    // The cursor must not jump while the middle of the text is corrected.
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
      // Without the mask a number can still be typed.
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [])
  return mask
}
