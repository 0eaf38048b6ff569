const misleading = /[\s\p{Cc}\\]/u

/** `https:`, or a path of the portal. */
export function isSafeAddress(address: string): boolean {
  if (misleading.test(address)) return false
  // "//host" is another host.
  if (address.startsWith('/')) return !address.startsWith('//')
  return /^https:\/\//i.test(address) && URL.canParse(address)
}
