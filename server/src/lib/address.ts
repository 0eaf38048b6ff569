import { domainToASCII, domainToUnicode } from 'node:url'
import { cleanName } from '@lectern/contract/text/clean-name.ts'

/**
 * An e-mail address as it is stored, compared and shown: its domain in the form that people read (INP-02). Browsers send the other one, `xn--…`. What is no address
 * stays.
 */
export function cleanAddress(text: string): string {
  const address = cleanName(text)
  const at = address.lastIndexOf('@')
  const domain = at < 0 ? '' : domainToUnicode(domainToASCII(address.slice(at + 1)))
  return domain === '' ? address : `${address.slice(0, at)}@${domain}`
}

/** In small letters, as it is stored and as browsers send it. */
export function listForms(text: string): string[] {
  const address = cleanAddress(text).toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = at < 0 ? '' : domainToASCII(address.slice(at + 1))
  return domain === '' ? [address] : [...new Set([address, `${address.slice(0, at)}@${domain}`])]
}

export const isSameAddress = (one: string | null, other: string): boolean =>
  one !== null && cleanAddress(one).toLowerCase() === cleanAddress(other).toLowerCase()
