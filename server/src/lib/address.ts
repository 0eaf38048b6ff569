import { domainToASCII, domainToUnicode } from 'node:url'
import { cleanName } from '@lectern/contract/text/text.ts'

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

export const isSameAddress = (one: string | null, other: string): boolean =>
  one !== null && cleanAddress(one).toLowerCase() === cleanAddress(other).toLowerCase()
