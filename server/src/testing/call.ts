import { type EndpointName, endpoints, type Response as ResponseOf } from '@lectern/contract/endpoints.ts'
import type { Problem } from '@lectern/contract/http/problems.ts'
import { type CallArguments, toRequest } from '@lectern/contract/http/request.ts'

/** An answer read to its end. `problem` is the same body, for those that are none. */
export interface Answer<N extends EndpointName> {
  status: number
  headers: Headers
  text: string
  body: ResponseOf<N>
  problem: Problem
}

/** Makes an endpoint's request as every client does, and reads the answer. Arguments are not held against the contract. */
export async function callEndpoint<N extends EndpointName>(
  url: string,
  name: N,
  args: CallArguments,
  headers: Record<string, string>,
): Promise<Answer<N>> {
  const { url: path, ...request } = toRequest(endpoints[name], args)
  const response = await fetch(`${url}${path}`, { ...request, headers: { ...request.headers, ...headers } })
  const text = await response.text()
  const json = /json/.test(response.headers.get('content-type') ?? '')
  const body = json ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, body, problem: body }
}
