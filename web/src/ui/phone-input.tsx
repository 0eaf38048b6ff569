import { type ComponentProps, type ComponentType, useEffect, useState } from 'react'
import { Input } from './input.tsx'

/** Longest text of a phone number, in characters. */
const longest = 40

export type PhoneInputProps = {
  value: string
  onChange: (value: string) => void
  /** Where a number without a country code is from, by its ISO 3166-1 code. */
  country: string
} & Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'type' | 'defaultValue'>

/**
 * A telephone number, shown the international way. Its mask is a file of its own, loaded when the first such input shows (spec §7);
 * until then, and should it not come, this is a plain input. The two change places only while nobody is typing.
 */
export function PhoneInput(props: PhoneInputProps) {
  const [Mask, setMask] = useState<ComponentType<PhoneInputProps>>()
  const [focused, setFocused] = useState(false)
  const [masked, setMasked] = useState(false)
  useEffect(() => {
    let current = true
    import('./phone-mask.tsx').then(
      ({ PhoneMask }) => current && setMask(() => PhoneMask),
      // The number can be typed without it.
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [])
  if (Mask && !masked && !focused) setMasked(true)
  if (Mask && masked) return <Mask maxLength={longest} autoComplete="tel" {...props} />

  const { country, onChange, onFocus, onBlur, ...input } = props
  return (
    <Input
      maxLength={longest}
      autoComplete="tel"
      {...input}
      type="tel"
      onChange={(event) => onChange(event.target.value)}
      onFocus={(event) => {
        setFocused(true)
        onFocus?.(event)
      }}
      onBlur={(event) => {
        setFocused(false)
        onBlur?.(event)
      }}
    />
  )
}
