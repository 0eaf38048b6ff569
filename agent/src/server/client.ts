import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { hostEndpoints } from '@lectern/contract/hosts.ts'
import type { ArgumentsOf, Endpoint, ResponseOf } from '@lectern/contract/http/endpoint.ts'
import { Problem } from '@lectern/contract/http/problems.ts'
import { type CallArguments, toRequest } from '@lectern/contract/http/request.ts'
import { Stop } from '../stop.ts'
import { describeConnectionFault, late, moved, refusedSignIn, type Way, webPage } from './connection-faults.ts'
import { Busy, Refusal, Unavailable } from './errors.ts'
import { type HttpProxy, isLoopback, toProxyEnvironment } from './proxy.ts'

type HostEndpoints = typeof hostEndpoints
type Streamed = { download: object } | { events: true }

export type JsonCall = { [N in keyof HostEndpoints]: HostEndpoints[N] extends Streamed ? never : N }[keyof HostEndpoints]
export type StreamCall = Exclude<keyof HostEndpoints, JsonCall>

const callTimeout = 30_000
/** Milliseconds for which a connection is kept for the next call. A proxy may forget it after more, and has as long to lead to the server. */
const idleTimeout = 20_000

/** Throws `Unavailable` or `Refusal`. */
export interface Server {
  call<N extends JsonCall>(name: N, args: ArgumentsOf<HostEndpoints[N]>, signal?: AbortSignal): Promise<ResponseOf<HostEndpoints[N]>>
  /** Resolves with the head of the response; its body is not compressed. The caller reads it to its end, or destroys it. */
  open<N extends StreamCall>(
    name: N,
    args: ArgumentsOf<HostEndpoints[N]>,
    options: { headers?: Record<string, string>; signal: AbortSignal },
  ): Promise<IncomingMessage>
}

export interface ConnectionOptions {
  /** Whether the person at the PC allowed a connection that is not encrypted. */
  allowHttp?: boolean
  proxy?: HttpProxy | null
}

/** Whether a connection to the address leaves this PC without encryption. */
export function isUnencrypted(server: string): boolean {
  const url = new URL(server)
  return url.protocol === 'http:' && !isLoopback(url)
}

/**
 * Throws `Stop` for an address without encryption (AGT-13). A redirect is never followed.
 * @param bearer a credential, a licence number, or '' for public calls
 */
export function connectTo(base: string, bearer: string, options: ConnectionOptions = {}): Server {
  if (!options.allowHttp && isUnencrypted(base))
    throw new Stop(
      'usage',
      `The connection to ${base} would not be encrypted. Enroll with the https address of the portal. Where the network is protected otherwise, enroll with --allow-http.`,
    )
  const address = new URL(base)
  const way: Way = { host: address.host, proxy: options.proxy ?? null }
  const isEncrypted = address.protocol === 'https:'
  const connections = { keepAlive: true, timeout: idleTimeout, proxyEnv: way.proxy ? toProxyEnvironment(way.proxy) : {} }
  const agent = isEncrypted ? new HttpsAgent(connections) : new HttpAgent(connections)

  function send({ method, url, body, headers }: ReturnType<typeof toRequest>, signal: AbortSignal): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const start = isEncrypted ? requestHttps : requestHttp
    const request = start(`${base.replace(/\/+$/, '')}${url}`, {
      agent,
      method,
      headers: { 'user-agent': 'lectern-agent', ...headers, ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }) },
      signal,
    })
    request.on('response', resolve)
    request.on('error', (error) => reject(describeConnectionFault(error, way)))
    request.end(body as string | undefined)
    return promise
  }

  async function open(
    endpoint: Endpoint,
    args: CallArguments,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const request = toRequest(endpoint, args)
    const answer = await send({ ...request, headers: { ...request.headers, ...headers } }, signal)
    const { statusCode: status = 0 } = answer
    // 416 is a response to a range.
    if (((status >= 200 && status < 300) || status === 416) && !isWebPage(answer)) return answer
    throw await toError(answer, address, way)
  }

  return {
    async call(name, args, signal) {
      const endpoint: Endpoint = hostEndpoints[name]
      const limit = AbortSignal.timeout(callTimeout)
      const either = signal ? AbortSignal.any([signal, limit]) : limit
      try {
        const answer = await open(endpoint, args as CallArguments, { accept: 'application/json' }, either)
        const text = await readText(answer).catch(() => {
          throw new Unavailable(`The answer of ${address.host} was cut off.`)
        })
        if (isWebPage(answer, text)) throw webPage(address, answer.statusCode!)
        if (!endpoint.response) return undefined as never
        const parsed = endpoint.response.safeParse(parseJson(text))
        if (!parsed.success) throw new Unavailable(`The answer of ${address.host} does not follow the protocol (${name}).`)
        return parsed.data as never
      } catch (error) {
        throw limit.aborted ? late(way) : error
      }
    },
    open: (name, args, { headers = {}, signal }) =>
      open(hostEndpoints[name], args as CallArguments, { 'accept-encoding': 'identity', ...headers }, signal),
  }
}

async function readText(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** @param text its body, where that has been read */
const isWebPage = ({ headers }: IncomingMessage, text = '') =>
  headers['content-type']?.startsWith('text/html') === true || text.trimStart().startsWith('<')

async function toError(answer: IncomingMessage, address: URL, way: Way): Promise<Unavailable | Refusal> {
  const { host } = address
  const { statusCode: status = 0, headers } = answer
  const text = await readText(answer).catch(() => '')
  if (status >= 300 && status < 400 && headers.location) return moved(host, headers.location)
  if (status === 407) return refusedSignIn(way.proxy)
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  const waiting = Number.isFinite(seconds) ? seconds * 1000 : null
  const problem = Problem.safeParse(parseJson(text)).data
  // The response may come from a proxy or a guest network.
  if (!problem && isWebPage(answer, text)) return webPage(address, status, waiting)
  if (!problem) return new Unavailable(`${host} responds with ${status}, not in Lectern's form.`, waiting)
  if (status >= 500 || status === 408 || status === 429) return new Busy(`${host} responds: ${problem.detail ?? problem.title}`, waiting)
  return new Refusal(problem)
}

/** Undefined where it is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
