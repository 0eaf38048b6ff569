import type { Endpoint } from './endpoint.ts'

/** Names the organization of a call whose path has none (decision 45). */
export const organizationHeader = 'lectern-organization'

export interface CallArguments {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  /** The record when the change began; the change is refused if it is another by now. */
  basedOn?: object | undefined
  file?: File
  fields?: Record<string, unknown>
}

export interface CallRequest {
  method: Endpoint['method']
  url: string
  headers: Record<string, string>
  body?: string | FormData
}

const toFieldText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** Path parameters are encoded (`A271/2` is `A271%2F2`), undefined query parameters left out, multipart fields, in JSON where they are objects, placed before the file (spec §7). */
export function toRequest(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  { params = {}, query = {}, body, file, fields = {} }: CallArguments,
): CallRequest {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const url = search ? `${path}?${search}` : path
  if (file) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, toFieldText(value))
    form.append('file', file, file.name)
    return { method: endpoint.method, url, headers: {}, body: form }
  }
  if (body === undefined) return { method: endpoint.method, url, headers: {} }
  return { method: endpoint.method, url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
