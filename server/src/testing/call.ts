import { type EndpointName, endpoints, type Response as ResponseOf } from '@lectern/contract/endpoints.ts'
import type { Problem } from '@lectern/contract/http/problems.ts'
import { type CallArguments, toRequest } from '@lectern/contract/http/request.ts'

/** `problem`: `body` as the type of an error response. */
export interface Answer<N extends EndpointName> {
  status: number
  headers: Headers
  text: string
  body: ResponseOf<N>
  problem: Problem
}

/** Arguments are not validated against the contract. */
export async function callEndpoint<N extends EndpointName>(
  url: string,
  name: N,
  args: CallArguments,
  headers: Record<string, string>,
): Promise<Answer<N>> {
  const { url: path, ...request } = toRequest(endpoints[name], args)
  const response = await fetch(`${url}${path}`, { ...request, headers: { ...request.headers, ...headers } })
  const type = response.headers.get('content-type') ?? ''
  const isStream = type.startsWith('text/event-stream')
  // A stream stays open for minutes.
  if (isStream) await response.body?.cancel()
  const text = isStream ? '' : await response.text()
  const json = /json/.test(type)
  const body = json ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, body, problem: body }
}
