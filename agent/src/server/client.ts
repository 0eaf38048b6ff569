import { hostEndpoints } from '@lectern/contract/hosts.ts'
import type { ArgumentsOf, Endpoint, ResponseOf } from '@lectern/contract/http/endpoint.ts'
import { Problem } from '@lectern/contract/http/problems.ts'
import { type CallArguments, toRequest } from '@lectern/contract/http/request.ts'
import { sentence } from '../sentence.ts'
import { Stop } from '../stop.ts'
import { Refusal, Unavailable } from './errors.ts'

type HostEndpoints = typeof hostEndpoints
type Streamed = { download: object } | { events: true }

export type JsonCall = { [N in keyof HostEndpoints]: HostEndpoints[N] extends Streamed ? never : N }[keyof HostEndpoints]
export type StreamCall = Exclude<keyof HostEndpoints, JsonCall>

const callTimeout = 30_000

/** Throws `Unavailable` or `Refusal`. */
export interface Server {
  call<N extends JsonCall>(name: N, args: ArgumentsOf<HostEndpoints[N]>, signal?: AbortSignal): Promise<ResponseOf<HostEndpoints[N]>>
  /** Resolves with the head of the response; its body is not compressed. */
  open<N extends StreamCall>(
    name: N,
    args: ArgumentsOf<HostEndpoints[N]>,
    options: { headers?: Record<string, string>; signal: AbortSignal },
  ): Promise<Response>
}

/** Whether a connection to the address leaves this PC without encryption. */
export function isUnencrypted(server: string): boolean {
  const { protocol, hostname } = new URL(server)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/**
 * Throws `Stop` for an address without encryption (AGT-13). A redirect is never followed.
 * @param bearer a credential, a licence number, or '' for public calls
 * @param allowHttp whether the person at the PC allowed a connection that is not encrypted
 */
export function connectTo(base: string, bearer: string, allowHttp = false): Server {
  if (!allowHttp && isUnencrypted(base))
    throw new Stop(
      'usage',
      `The connection to ${base} would not be encrypted. Enroll with the https address of the portal. Where the network is protected otherwise, enroll with --allow-http.`,
    )

  async function send(endpoint: Endpoint, args: CallArguments, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const request = toRequest(endpoint, args)
    const url = new URL(`${base.replace(/\/+$/, '')}${request.url}`)
    let answer: Response
    try {
      answer = await fetch(url, {
        method: request.method,
        headers: { ...request.headers, ...headers, ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }) },
        body: request.body ?? null,
        redirect: 'manual',
        signal,
      })
    } catch (error) {
      throw noAnswer(url, error)
    }
    // 416 is a response to a range.
    if (answer.ok || answer.status === 416) return answer
    throw await asError(url, answer)
  }

  return {
    async call(name, args, signal) {
      const endpoint: Endpoint = hostEndpoints[name]
      const limit = AbortSignal.timeout(callTimeout)
      const either = signal ? AbortSignal.any([signal, limit]) : limit
      const answer = await send(endpoint, args as CallArguments, { accept: 'application/json' }, either)
      if (!endpoint.response) return undefined as never
      let body: unknown
      try {
        body = await answer.json()
      } catch (error) {
        throw new Unavailable(`The answer of ${new URL(base).host} was cut off or is not Lectern's.`, null, error)
      }
      const parsed = endpoint.response.safeParse(body)
      if (!parsed.success) throw new Unavailable(`The answer of ${new URL(base).host} does not follow the protocol (${name}).`)
      return parsed.data as never
    },
    open: (name, args, { headers = {}, signal }) =>
      send(hostEndpoints[name], args as CallArguments, { 'accept-encoding': 'identity', ...headers }, signal),
  }
}

function noAnswer(url: URL, error: unknown): Unavailable {
  if (error instanceof Error && error.name === 'TimeoutError') return new Unavailable(`${url.host} does not answer in time.`, null, error)
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return new Unavailable(`${url.host} cannot be reached: ${sentence(cause) || 'no answer'}`, null, error)
}

async function asError(url: URL, answer: Response): Promise<Unavailable | Refusal> {
  const text = await answer.text().catch(() => '')
  const location = answer.headers.get('location')
  if (answer.status >= 300 && answer.status < 400 && location) return new Unavailable(`${url.host} has moved to ${location}`)
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN) * 1000
  const waiting = Number.isFinite(retryAfter) ? retryAfter : null
  const problem = problemIn(text)
  // The response may come from a proxy or a guest network.
  if (!problem) return new Unavailable(`${url.host} responds with ${answer.status}, not in Lectern's form.`, waiting)
  if (answer.status >= 500 || answer.status === 408 || answer.status === 429) {
    return new Unavailable(`${url.host} responds: ${problem.detail ?? problem.title}`, waiting)
  }
  return new Refusal(problem)
}

function problemIn(text: string): Problem | null {
  try {
    return Problem.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
