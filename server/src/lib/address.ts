import { domainToASCII, domainToUnicode } from 'node:url'
import { cleanName } from '@lectern/contract/text/clean-name.ts'

/**
 * An e-mail address as it is stored, compared and shown: with the domain as people read it (INP-02). Browsers send it as `xn--…`. A text
 * that is no address is returned as it is.
 */
export function cleanAddress(text: string): string {
  const address = cleanName(text)
  const at = address.lastIndexOf('@')
  const domain = at < 0 ? '' : domainToUnicode(domainToASCII(address.slice(at + 1)))
  return domain === '' ? address : `${address.slice(0, at)}@${domain}`
}

/** Lists both forms of an address in small letters: as it is stored, and as browsers send it. */
export function listForms(text: string): string[] {
  const address = cleanAddress(text).toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = at < 0 ? '' : domainToASCII(address.slice(at + 1))
  return domain === '' ? [address] : [...new Set([address, `${address.slice(0, at)}@${domain}`])]
}

export const isSameAddress = (one: string | null, other: string): boolean =>
  one !== null && cleanAddress(one).toLowerCase() === cleanAddress(other).toLowerCase()
