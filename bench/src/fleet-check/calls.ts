import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Arguments, type EndpointName, endpoints, type Response as ResponseOf } from '@lectern/contract/endpoints.ts'
import { type CallArguments, toRequest } from '@lectern/contract/http/request.ts'

/** `repeated`: calls that were sent again, as no response came, or the portal could not serve them then. */
export interface CallFigures {
  requests: number
  acknowledged: number
  repeated: number
  refused: number
  /** Status 500: errors that the server did not expect. */
  broken: number
}

/** What the portal refuses for good. */
export class Refusal extends Error {
  readonly status: number
  /** Whether an earlier call may have been done without its response arriving. */
  readonly isRepeated: boolean
  constructor(status: number, text: string, isRepeated: boolean) {
    super(`${status} ${text}`)
    this.status = status
    this.isRepeated = isRepeated
  }
}

export class Caller {
  readonly figures: CallFigures = { requests: 0, acknowledged: 0, repeated: 0, refused: 0, broken: 0 }
  /** The sentences of responses with status 500. */
  readonly errors = new Set<string>()
  private readonly url: string
  private readonly isKeyed: boolean
  /** @param isKeyed whether a repeat has the key of the first call, as the protocol demands */
  constructor(url: string, isKeyed = true) {
    this.url = url
    this.isKeyed = isKeyed
  }

  /** Calls until there is a response, always with the same key. Throws a Refusal. */
  async call<N extends EndpointName>(token: string, name: N, args: Arguments<N>, key?: string): Promise<ResponseOf<N>> {
    const response = await this.send(token, name, args as CallArguments, key)
    return (response === '' ? undefined : JSON.parse(response)) as ResponseOf<N>
  }

  private async send(token: string, name: EndpointName, args: CallArguments, key: string | undefined): Promise<string> {
    const { url, ...request } = toRequest(endpoints[name], args)
    for (let attempt = 0; ; attempt++) {
      const sent = this.isKeyed || attempt === 0 ? key : randomUUID()
      const headers = { ...request.headers, authorization: `Bearer ${token}`, ...(key !== undefined && { 'idempotency-key': sent! }) }
      this.figures.requests += 1
      const reply = await this.attempt(`${this.url}${url}`, { ...request, headers })
      if (reply?.ok) {
        if (request.method !== 'GET') this.figures.acknowledged += 1
        return reply.text
      }
      if (reply?.status === 500) {
        this.figures.broken += 1
        this.errors.add(`${name}: ${reply.text}`)
      }
      // 409 with the first call's key: that call is still being handled.
      const isAtWork = reply?.status === 409 && key !== undefined && this.isKeyed
      const isFinal = reply && reply.status < 500 && ![408, 429].includes(reply.status) && !isAtWork
      if (isFinal) {
        this.figures.refused += 1
        throw new Refusal(reply.status, `${name}: ${reply.text}`, attempt > 0)
      }
      this.figures.repeated += 1
      await pause(100 + 400 * Math.random())
    }
  }

  private async attempt(url: string, init: RequestInit) {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) })
      return { ok: response.ok, status: response.status, text: await response.text() }
    } catch {
      return undefined
    }
  }

  /** Reads a download, or leaves it at its first bytes. Returns its lines; null where it was left, or cut off. */
  async download(token: string, path: string, isLeft: boolean): Promise<number | null> {
    this.figures.requests += 1
    const leaving = new AbortController()
    try {
      const response = await fetch(`${this.url}${path}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(30_000)]),
      })
      if (!response.ok) return null
      let text = ''
      for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
        if (isLeft) {
          leaving.abort()
          return null
        }
        text += part
      }
      return text.split('\n').filter((line) => line.trim() !== '').length
    } catch {
      return null
    }
  }
}
