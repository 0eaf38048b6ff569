import { SetupFault, Unavailable, Unreachable } from './errors.ts'
import { type HttpProxy, nameProxy } from './proxy.ts'

/** Between this PC and the server. */
export interface Way {
  /** With its port where that is not the usual one. */
  host: string
  proxy: HttpProxy | null
}

/** What the system says of a connection that did not come about, by its code. */
const unconnected: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing takes connections there',
  ENOTFOUND: 'its name is not known here',
  EAI_AGAIN: 'names cannot be looked up now',
  EHOSTUNREACH: 'no way leads there',
  ENETUNREACH: 'no way leads there',
  ETIMEDOUT: 'no connection comes about in time',
  EACCES: 'this PC does not allow the connection',
  EPERM: 'this PC does not allow the connection',
}

const strangers = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'INVALID_CA',
])

interface SystemError extends Error {
  code?: string
  /** Of a proxy that refused the way to the server. */
  statusCode?: number
  /** The certificate that has other names. */
  cert?: { subjectaltname?: string }
}

/** In words for the person at the PC. Texts of Node are not shown: they give advice on Node, and may have a proxy's password. */
export function describeConnectionFault(error: SystemError, way: Way): Unavailable {
  const { code = '' } = error
  return describeCertificate(error, way) ?? (way.proxy ? describeProxied(error, way.host, way.proxy) : describeDirect(code, way.host))
}

/** Null where the fault is another one. */
function describeCertificate({ code = '', cert }: SystemError, { host }: Way): SetupFault | null {
  if (strangers.has(code))
    return new SetupFault(
      `The certificate of ${host} is from an authority that this PC does not trust: one of your organization, of a proxy that opens connections, or of a stranger. Where it is yours, enroll with its certificate: --ca FILE.`,
    )
  if (code === 'CERT_HAS_EXPIRED')
    return new SetupFault(
      `The certificate of ${host}, or of its authority, has ended: on this PC it is ${today()}. Renew it on the server, or set this PC's clock. A new authority's certificate is given with --ca FILE.`,
    )
  if (code === 'CERT_NOT_YET_VALID')
    return new SetupFault(`The certificate of ${host} is not valid yet: on this PC it is ${today()}. Set this PC's clock.`)
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new SetupFault(
      `The certificate that comes from ${host} is for other names: ${cert?.subjectaltname || 'none'}. Enroll with one of its names in --server, or correct the certificate on the server.`,
    )
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return new SetupFault(`${host} does not speak https as this PC does (${code}). See whether the address and its port are right.`)
  return null
}

const today = () => new Date().toISOString().slice(0, 10)

function describeDirect(code: string, host: string): Unavailable {
  const reason = unconnected[code]
  if (reason) return new Unreachable(`${host} cannot be reached: ${reason}.`)
  return new Unreachable(`${host} cannot be reached: the connection was cut off${code && code !== 'ECONNRESET' ? ` (${code})` : ''}.`)
}

function describeProxied({ code = '', statusCode }: SystemError, host: string, proxy: HttpProxy): Unavailable {
  const name = nameProxy(proxy)
  if (statusCode === 407) return refusedSignIn(proxy)
  if (statusCode !== undefined) {
    const message = `The proxy ${name} does not let this PC through to ${host}: it responds with ${statusCode}.`
    // It could not reach the server either.
    return statusCode >= 500 ? new Unavailable(message) : new SetupFault(`${message} Allow the address at the proxy.`)
  }
  const reason = unconnected[code]
  if (reason) return new Unavailable(`The proxy ${name} cannot be reached: ${reason}.`)
  return new Unavailable(`${host} cannot be reached: the connection through the proxy ${name} was cut off.`)
}

/** 407. @param proxy null: one that was not named */
export function refusedSignIn(proxy: HttpProxy | null): SetupFault {
  const how = 'Enroll with --proxy http://USER@PROXY:PORT --proxy-password-file FILE.'
  if (!proxy) return new SetupFault(`A proxy on the way asks for a user and a password. ${how}`)
  const isGiven = proxy.user !== '' || proxy.password !== ''
  return new SetupFault(
    isGiven
      ? `The proxy ${nameProxy(proxy)} refuses the user and the password that it was given. ${how}`
      : `The proxy ${nameProxy(proxy)} asks for a user and a password. ${how}`,
  )
}

export function late({ host, proxy }: Way): Unavailable {
  if (!proxy) return new Unreachable(`${host} does not respond in time.`)
  return new Unavailable(`${host} does not respond in time through the proxy ${nameProxy(proxy)}.`)
}

/** @param waiting milliseconds that the answer asks for */
export const webPage = (address: URL, status: number, waiting: number | null = null): Unavailable =>
  new Unavailable(
    `${address.host} responds with a web page (${status}) and not as Lectern does. A proxy or a guest network on the way may ask for a sign-in, or block the address: open ${address.origin} in a browser of this PC.`,
    waiting,
  )

export const moved = (host: string, location: string): SetupFault =>
  new SetupFault(
    `${host} sends this PC on to ${location}, and no credential follows there. Where the portal has moved, enroll with the new address in --server. Else a proxy or a guest network on the way may ask for a sign-in.`,
  )
