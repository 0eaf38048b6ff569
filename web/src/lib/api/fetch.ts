import type { Arguments, Response as Reply } from '@lectern/contract/endpoints.ts'
import type { CallArguments } from '@lectern/contract/http/request.ts'
import { readShaped, type Shape } from '@lectern/contract/http/shape.ts'
import { stepUpError } from '@lectern/contract/http/step-up.ts'
import { parseFileName } from '../files/file-name.ts'
import { reportFailure } from '../monitoring/monitoring.ts'
import { CallError } from './call-error.ts'
import { type EndpointName, endpoints, type WebEndpoint } from './endpoints.ts'
import { parseRetryAfter, pause, pauseBeforeRetry } from './retries.ts'
import { type OnSent, send } from './send.ts'

export interface Tokens {
  get(): Promise<string>
  /** Returns a new token, not the cached one. */
  renew(): Promise<string>
  /** Called when the server refuses even a renewed token. */
  refused(): void
  /** Called where the server accepts the token only after a sign-in with a passkey. */
  needsPasskey(): void
}

export interface CallOptions {
  /** Milliseconds per attempt; absent: no limit (spec §7). */
  timeout?: number
  signal?: AbortSignal
  /** One per submission, so that repeating a write is safe. */
  idempotencyKey?: string
  /** Called with the number of sent bytes; each attempt begins at 0. */
  onSent?: OnSent
}

/** @throws CallError, the abort's reason, or the reason why there is no token */
export type Call = <N extends EndpointName>(name: N, args: Arguments<N>, options?: CallOptions) => Promise<Reply<N>>
/** The server names the file (Content-Disposition); otherwise it is `defaultName`. */
export type Download = <N extends EndpointName>(name: N, args: Arguments<N>, defaultName: string, options?: CallOptions) => Promise<File>

export type Open = <N extends EndpointName>(name: N, args: Arguments<N>, options?: CallOptions) => Promise<Response>

export interface Api {
  call: Call
  open: Open
  download: Download
}

type Read<T> = (response: Response) => Promise<T>

interface ApiSettings {
  tokens?: Tokens
  /** Returns the tab's organization at the time of a call. Calls whose path names none have it in a header (PPL-02). */
  organization?: () => string | undefined
  /** Put before every path; empty for the page's own origin. */
  base?: string
  /** Milliseconds before the first repetition; doubles with each. */
  backOff?: number
}

export function createApi({ tokens, organization, base = '', backOff = 300 }: ApiSettings): Api {
  async function run<T>(name: EndpointName, args: CallArguments, options: CallOptions, read: Read<T>): Promise<T> {
    const endpoint = endpoints[name]
    const credential = endpoint.isPublic ? undefined : tokens
    const renewal = { used: false }
    const repeatable = endpoint.method === 'GET' || options.idempotencyKey !== undefined
    for (let retries = 0; ; retries++) {
      try {
        return await attempt(endpoint, args, options, credential, renewal, read)
      } catch (error) {
        options.signal?.throwIfAborted()
        const ms = repeatable && error instanceof CallError ? pauseBeforeRetry(error, retries, backOff) : undefined
        if (ms === undefined) {
          if (isServersFault(error)) reportFailure(error, { call: name })
          throw error
        }
        await pause(ms, options.signal)
      }
    }
  }

  async function attempt<T>(
    endpoint: WebEndpoint,
    args: CallArguments,
    options: CallOptions,
    tokens: Tokens | undefined,
    renewal: { used: boolean },
    read: Read<T>,
  ): Promise<T> {
    const token = await tokens?.get()
    const limit = options.timeout === undefined ? undefined : AbortSignal.timeout(options.timeout)
    const signal = limit && options.signal ? AbortSignal.any([limit, options.signal]) : (limit ?? options.signal)
    try {
      const { idempotencyKey, onSent } = options
      const sendWith = (token: string | undefined) =>
        send(endpoint, args, { base, token, organization: organization?.(), signal, idempotencyKey, onSent })
      const first = await sendWith(token)
      if (asksForPasskey(first)) tokens?.needsPasskey()
      if (first.status !== 401 || !tokens || renewal.used || asksForPasskey(first)) return await settle(first, read)
      renewal.used = true
      const again = await sendWith(await anotherToken(tokens, token))
      if (asksForPasskey(again)) tokens.needsPasskey()
      else if (again.status === 401) tokens.refused()
      return await settle(again, read)
    } catch (error) {
      if (limit?.aborted && !(error instanceof CallError)) throw new CallError('TIMEOUT_ERROR', { cause: error })
      throw error
    }
  }

  return {
    call: async (name, args, options = {}) => run(name, args as CallArguments, options, await prepareRead(name)) as never,
    open: (name, args, options = {}) => run(name, args as CallArguments, options, async (response) => response),
    download: (name, args, defaultName, options = {}) =>
      run(name, args as CallArguments, options, async (response) => {
        const blob = await readBody(() => response.blob())
        return new File([blob], parseFileName(response.headers.get('content-disposition')) ?? defaultName, { type: blob.type })
      }),
  }
}

const asksForPasskey = ({ status, headers }: Response): boolean =>
  status === 401 && (headers.get('www-authenticate')?.includes(stepUpError) ?? false)

const isServersFault = (error: unknown): boolean =>
  error instanceof CallError && (error.status === 'PARSING_ERROR' || (typeof error.status === 'number' && error.status >= 500))

// Another call may have renewed the refused token already.
async function anotherToken(tokens: Tokens, refused: string | undefined): Promise<string> {
  const current = await tokens.get()
  return current === refused ? tokens.renew() : current
}

async function settle<T>(response: Response, read: Read<T>): Promise<T> {
  if (response.ok) return read(response)
  const text = await readBody(() => response.text())
  throw new CallError(response.status, { data: jsonOr(text), retryAfterMs: parseRetryAfter(response.headers.get('retry-after')) })
}

/**
 * Returns undefined for a call without a reply.
 * @throws CallError without a connection
 */
export async function loadShape(name: EndpointName): Promise<Shape | undefined> {
  const { response, hasLaterShape } = endpoints[name]
  return hasLaterShape ? (await readBody(() => import('./shapes.ts'))).shapes[name] : response
}

// Loads the shape of the reply beside a read, but before a write, so that nothing is written whose reply could not be read.
async function prepareRead(name: EndpointName): Promise<Read<unknown>> {
  const loading = loadShape(name)
  loading.catch(() => undefined)
  if (endpoints[name].method !== 'GET') await loading
  return async (response) => readReply(await loading, response)
}

async function readReply(shape: Shape | undefined, response: Response): Promise<unknown> {
  if (!shape) return undefined
  const text = await readBody(() => response.text())
  try {
    return readShaped(shape, JSON.parse(text))
  } catch (error) {
    throw new CallError('PARSING_ERROR', { data: text, cause: error })
  }
}

async function readBody<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof DOMException) throw error
    throw new CallError('FETCH_ERROR', { cause: error })
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
