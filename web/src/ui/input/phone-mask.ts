import { AsYouType, type CountryCode, isSupportedCountry, validatePhoneNumberLength } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/metadata.min.json'

/** All that a mask may touch: what is more than a number, an extension for instance, stays as typed (spec §5, not strict). */
const number = /^\s*\+?[\d\s().\-/]*$/

/** Whether a text is a number with more digits than any number of its country has. */
const isTooLong = (text: string, from: string): boolean =>
  number.test(text) && validatePhoneNumberLength(text, { defaultCountry: known(from) }, metadata) === 'TOO_LONG'

/** What somebody types at the end of a number: as much of it as there can be (spec §5), spaced as their country writes it. */
function whileTyped(text: string, from: string): string {
  if (!number.test(text)) return text
  let end = text.length
  while (isTooLong(text.slice(0, end), from)) end -= 1
  return new AsYouType(known(from), metadata).input(text.slice(0, end))
}

/** A number that somebody has left, the international way; what is no whole number stays as typed. */
function onceLeft(text: string, from: string): string {
  if (!number.test(text)) return text
  const typing = new AsYouType(known(from), metadata)
  typing.input(text)
  const typed = typing.getNumber()
  return typed?.isPossible() ? typed.formatInternational() : text
}

const known = (country: string) => (isSupportedCountry(country as CountryCode, metadata) ? (country as CountryCode) : undefined)

/** What a phone input does with its text. */
export const phoneMask = { isTooLong, whileTyped, onceLeft }
