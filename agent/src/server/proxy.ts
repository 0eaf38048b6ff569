import { BlockList, isIP } from 'node:net'
import { unescape as decode } from 'node:querystring'
import { Stop } from '../stop.ts'

export interface HttpProxy {
  /** `http://proxy.example:3128`: with its port, and without who signs in. */
  address: string
  /** '' where the proxy asks for none. */
  user: string
  /** Never shown. */
  password: string
}

/** `proxy.example:3128`: all that is shown of a proxy. */
export const nameProxy = ({ address }: HttpProxy): string => address.replace(/^https?:\/\//, '')

/** Takes a scheme, a user and a password, each where the text has it. Null: it is no address of a proxy that speaks HTTP. */
export function parseProxy(text: string): HttpProxy | null {
  const whole = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return null
  // A path is of a PAC file, or the rest of a password with an unescaped "/", "?" or "#".
  if (!/^\/?$/.test(url.pathname + url.search + url.hash)) return null
  const { protocol, hostname, username, password } = url
  return { address: `${protocol}//${hostname}:${readPort(url)}`, user: decode(username), password: decode(password) }
}

/** As Node's agents take it: an environment of one variable. */
export function toProxyEnvironment({ address, user, password }: HttpProxy): { HTTP_PROXY: string; HTTPS_PROXY: string } {
  const signIn = user === '' && password === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  const url = address.replace('://', `://${signIn}`)
  return { HTTP_PROXY: url, HTTPS_PROXY: url }
}

export const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/**
 * The proxy through which a server is reached; null: none. The environment's is not asked about this PC itself, as a proxy has another one.
 * Throws `Stop` where the environment names no proxy that can be used.
 * @param named at enrollment: it wins over the environment
 */
export function findProxy(
  server: string,
  named: HttpProxy | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): HttpProxy | null {
  if (named) return named
  const url = new URL(server)
  const read = (name: string) => environment[name.toLowerCase()] || environment[name] || ''
  const variable = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const given = read(variable)
  if (given === '' || isLoopback(url) || isExempt(url, read('NO_PROXY'))) return null
  const proxy = parseProxy(given)
  if (proxy) return proxy
  throw new Stop(
    'usage',
    `The variable ${variable} is no address of a proxy such as http://proxy.example:3128. Correct it, or name the proxy with "lectern-agent enroll … --proxy".`,
  )
}

const readPort = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80')
const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

/**
 * Whether `NO_PROXY` names the server: `*`, a name with all names under it, an address or a range such as 10.0.0.0/8; names and addresses may
 * have a port.
 */
function isExempt(url: URL, noProxy: string): boolean {
  const host = withoutBrackets(url.hostname)
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*' || withoutBrackets(entry) === host) return true
      const range = /^(.+)\/(\d+)$/.exec(entry)
      if (range) return isInRange(host, range[1]!, Number(range[2]))
      const [, name = '', port = readPort(url)] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? []
      return port === readPort(url) && (host === withoutBrackets(name) || (name !== '' && isIP(host) === 0 && host.endsWith(`.${name}`)))
    })
}

function isInRange(host: string, address: string, bits: number): boolean {
  const kind = isIP(address)
  if (kind === 0 || kind !== isIP(host) || bits > (kind === 4 ? 32 : 128)) return false
  const range = new BlockList()
  const family = kind === 4 ? 'ipv4' : 'ipv6'
  range.addSubnet(address, bits, family)
  return range.check(host, family)
}
