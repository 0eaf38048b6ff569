import type { Endpoint } from './endpoint.ts'

/** The parts a caller may hand over, whatever the endpoint. */
export interface CallArguments {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  /** The record as it was when its change began: should it be another one by now, the change is refused. */
  basedOn?: object | undefined
  file?: File
  fields?: Record<string, unknown>
}

/** An endpoint's call as `fetch` takes it; `url` is relative to the API's base. */
export interface CallRequest {
  method: Endpoint['method']
  url: string
  headers: Record<string, string>
  body?: string | FormData
}

/**
 * Builds the request of a call: path parameters encoded (`A271/2` travels as `A271%2F2`), query parameters that are
 * not undefined appended, a JSON body with the JSON content type, or a multipart body whose fields precede the file (spec §7).
 */
export function toRequest(endpoint: Endpoint, { params = {}, query = {}, body, file, fields = {} }: CallArguments): CallRequest {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const url = search ? `${path}?${search}` : path
  if (file) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, String(value))
    form.append('file', file, file.name)
    return { method: endpoint.method, url, headers: {}, body: form }
  }
  if (body === undefined) return { method: endpoint.method, url, headers: {} }
  return { method: endpoint.method, url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
