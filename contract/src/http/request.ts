import type { Endpoint } from './endpoint.ts'

/** The header that names the organization of a call whose path has none (decision 45). */
export const organizationHeader = 'lectern-organization'

export interface CallArguments {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  /** The record when the change began. The change is refused where the record is another by now. */
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

/**
 * Encodes path parameters (`A271/2` becomes `A271%2F2`), leaves out undefined query parameters, and puts multipart fields before the file,
 * objects as JSON (spec §7).
 */
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
