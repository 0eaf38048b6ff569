import { AsYouType, type CountryCode, isSupportedCountry, validatePhoneNumberLength } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/metadata.min.json'

/** A text with more than a number, such as an extension, stays as typed (spec §5, not strict). */
const number = /^\s*\+?[\d\s().\-/]*$/

const isTooLong = (text: string, from: string): boolean =>
  number.test(text) && validatePhoneNumberLength(text, { defaultCountry: known(from) }, metadata) === 'TOO_LONG'

/** Cuts a number that is too long (spec §5), and spaces it as its country does. */
function whileTyped(text: string, from: string): string {
  if (!number.test(text)) return text
  let end = text.length
  while (isTooLong(text.slice(0, end), from)) end -= 1
  return new AsYouType(known(from), metadata).input(text.slice(0, end))
}

/** Returns the international form; an incomplete number stays as typed. */
function onceLeft(text: string, from: string): string {
  if (!number.test(text)) return text
  const typing = new AsYouType(known(from), metadata)
  typing.input(text)
  const typed = typing.getNumber()
  return typed?.isPossible() ? typed.formatInternational() : text
}

const known = (country: string) => (isSupportedCountry(country as CountryCode, metadata) ? (country as CountryCode) : undefined)

export const phoneMask = { isTooLong, whileTyped, onceLeft }
