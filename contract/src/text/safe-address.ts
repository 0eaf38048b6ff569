const loopback = ['localhost', '127.0.0.1', '[::1]']
const misleading = /[\s\p{Cc}\\]/u

/** `https:`, `http:` on this machine, or a path of the portal. */
export function isSafeAddress(address: string): boolean {
  if (misleading.test(address)) return false
  // "//host" names another host.
  if (address.startsWith('/')) return !address.startsWith('//')
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || loopback.includes(hostname)
}
