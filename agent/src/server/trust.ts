import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** One certificate in PEM each. */
export const certificates = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/**
 * Makes this process trust the authorities of this PC's own store, those that come with Node, and `own`: of servers, and of proxies that speak
 * https. The packaged agent starts with the store of the PC, which takes less memory.
 * @param server without encryption nothing is trusted, and the memory saved
 * @param own certificates in PEM, one after the other
 */
export function trustAuthorities(server: string, own = ''): void {
  if (!server.startsWith('https:')) return
  const hasStore = process.execArgv.includes('--use-system-ca')
  if (hasStore && own === '') return
  const others = hasStore ? [] : getCACertificates('system')
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...others, ...(own.match(certificates) ?? [])])])
}
