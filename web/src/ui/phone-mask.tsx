import { AsYouType, type CountryCode, isSupportedCountry, validatePhoneNumberLength } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/metadata.min.json'
import { type ChangeEvent, type ComponentProps, type ElementType, type FocusEvent, useState } from 'react'
import MaskedInput from 'react-phone-number-input/input-core'
import { Input } from './input.tsx'
import type { PhoneInputProps } from './phone-input.tsx'

const e164 = /^\+[1-9]\d{0,14}$/
const masking = /^[+\d\s().\-/]*$/
/** Its types know no properties of an own input component. */
const Masked: ElementType = MaskedInput

/**
 * A phone number under a mask: as it is written in the country while it is typed, the international way once it is left. The value is
 * the number in E.164, or the text as typed where it is more than a number, an extension for instance: the mask is not strict (spec §5).
 */
export function PhoneMask({ value, onChange, country: from, onBlur, ...input }: PhoneInputProps) {
  const [visit, setVisit] = useState(0)
  const country = isSupportedCountry(from as CountryCode, metadata) ? (from as CountryCode) : undefined
  const number = e164.test(value) ? value : numberOf(value, country)
  return (
    <Masked
      {...input}
      // What shows a number anew shows it the international way.
      key={visit}
      type="tel"
      metadata={metadata}
      defaultCountry={country}
      useNationalFormatForDefaultCountryValue={false}
      value={number}
      onChange={(next?: string) => onChange(next ?? '')}
      onBlur={(event: FocusEvent<HTMLInputElement>) => {
        setVisit(visit + 1)
        onBlur?.(event)
      }}
      inputComponent={FreeInput}
      freeText={value !== '' && number === undefined ? value : undefined}
      onFreeText={onChange}
      fit={(text: string) => fitted(text, country)}
    />
  )
}

type FreeInputProps = ComponentProps<typeof Input> & {
  /** In place of the masked number. */
  freeText: string | undefined
  onFreeText: (text: string) => void
  fit: (text: string) => string
}

/** The input under the mask; lets through what is more than a number. */
function FreeInput({ freeText, onFreeText, fit, value, onChange, onKeyDown, ...input }: FreeInputProps) {
  const isFree = freeText !== undefined

  function change(event: ChangeEvent<HTMLInputElement>) {
    const { target } = event
    if (isFree || !masking.test(target.value)) return onFreeText(target.value)
    const text = fit(target.value)
    if (text !== target.value) target.value = text
    onChange?.(event)
  }

  // The mask deletes by itself, digit by digit.
  return <Input {...input} value={freeText ?? value} onChange={change} onKeyDown={isFree ? undefined : onKeyDown} />
}

/** The number that a text writes, as E.164; undefined where it is more than a number, or none. */
function numberOf(text: string, country: CountryCode | undefined): string | undefined {
  if (!masking.test(text)) return undefined
  const typing = new AsYouType(country, metadata)
  typing.input(text)
  const number = typing.getNumberValue()
  return number !== undefined && e164.test(number) ? number : undefined
}

/** As much of a number as there can be (spec §5). */
function fitted(text: string, country: CountryCode | undefined): string {
  let end = text.length
  while (validatePhoneNumberLength(text.slice(0, end), { defaultCountry: country }, metadata) === 'TOO_LONG') end -= 1
  return text.slice(0, end)
}
