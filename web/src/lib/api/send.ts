import { computeEtag } from '@lectern/contract/http/etag.ts'
import { type CallArguments, organizationHeader, toRequest } from '@lectern/contract/http/request.ts'
import { readShaped } from '@lectern/contract/http/shape.ts'
import { CallError } from './call-error.ts'
import type { WebEndpoint } from './endpoints.ts'

/** In bytes. */
export type OnSent = (sent: number, total: number) => void

interface SendOptions {
  base: string
  token: string | undefined
  organization: string | undefined
  signal: AbortSignal | undefined
  idempotencyKey: string | undefined
  onSent: OnSent | undefined
}

/** @throws CallError without a response, or the abort's reason */
export async function send(
  endpoint: WebEndpoint,
  args: CallArguments,
  { base, token, organization, signal, idempotencyKey, onSent }: SendOptions,
): Promise<Response> {
  const { url, headers, ...request } = toRequest(endpoint, args)
  if (token !== undefined) headers.authorization = `Bearer ${token}`
  if (organization !== undefined) headers[organizationHeader] = organization
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  const { etag } = endpoint
  if (etag && args.basedOn) headers['if-match'] = await computeEtag({ parse: (record) => readShaped(etag, record) }, args.basedOn)
  try {
    const sent = { ...request, headers, signal }
    return await (onSent ? countedUpload(`${base}${url}`, sent, onSent) : fetch(`${base}${url}`, sent))
  } catch (error) {
    signal?.throwIfAborted()
    throw new CallError('FETCH_ERROR', { cause: error })
  }
}

interface CountedRequest {
  method: string
  headers: Record<string, string>
  body?: string | FormData
  signal?: AbortSignal | undefined
}

// As `fetch`, which cannot report how much of a body was sent.
function countedUpload(url: string, { method, headers, body, signal }: CountedRequest, onSent: OnSent): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    signal?.addEventListener('abort', stop, { once: true })
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onSent(loaded, total)
    request.onload = () => resolve(toResponse(request))
    request.onerror = () => reject(new TypeError('The request failed'))
    request.onabort = () => reject(signal?.reason)
    request.onloadend = () => signal?.removeEventListener('abort', stop)
    request.send(body)
  })
}

const bodiless = new Set([204, 205, 304])

function toResponse(request: XMLHttpRequest): Response {
  const { status, responseText } = request
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/)
  const headers = new Headers(lines.map((line) => line.split(/:\s*(.*)/, 2) as [string, string]))
  return new Response(bodiless.has(status) ? null : responseText, { status, headers })
}
