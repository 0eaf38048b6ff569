import { setMaxListeners } from 'node:events'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { ApiDocument } from '../../api/document.ts'
import type { Schema } from './arbitraries.ts'
import { type Draft, draft, listOperations, type Memory, type Operation, toPlace } from './requests.ts'

/** Credentials, by the scheme of the document. */
export type Credentials = Record<'person' | 'agent' | 'licence', readonly string[]>

interface Options {
  url: string
  document: ApiDocument
  credentials: Credentials
  memory: Memory
  requests: number
  seed: number
  /** Names of operations; absent: all. */
  only?: readonly string[]
}

export interface Finding {
  problem: string
  request: string
  status: number
  response: string
}

export interface Result {
  findings: Finding[]
  /** How many responses had each status. */
  statuses: Record<string, number>
  /** Operations that were done at least once. */
  done: Set<string>
}

/** Requests under way at once. */
const lanes = 4
const mostFindings = 20

/** Sends requests that are made from the API document, and compares each response with it. */
export async function fuzz({ url, document, credentials, memory, requests, seed, only }: Options): Promise<Result> {
  const operations = listOperations(document).filter(({ name }) => !only || only.includes(name))
  const judge = createJudge(document)
  const drafts = draft(operations, seed)
  // By operation, the callers whose calls were done.
  const welcome = new Map(operations.map(({ name }) => [name, [] as string[]]))
  const result: Result = { findings: [], statuses: {}, done: new Set() }
  let sent = 0
  const work = async () => {
    while (sent < requests && result.findings.length < mostFindings) {
      sent += 1
      const { value } = drafts.next()
      const callers = welcome.get(value.operation.name)!
      const request = toRequest(value, credentials, memory, callers)
      const { status, type, text } = await send(url, request)
      result.statuses[status] = (result.statuses[status] ?? 0) + 1
      if (status < 300) {
        result.done.add(value.operation.name)
        if (callers.unshift(request.headers.authorization?.slice('Bearer '.length) ?? '') > 5) callers.pop()
        for (const [name, found] of Object.entries(request.names)) memory.add(toPlace(value.operation.path, name), found)
        if (type === 'application/json') memory.add('', JSON.parse(text))
      }
      const problem = judge(value.operation, status, type, text)
      if (problem !== null) result.findings.push({ problem, request: describe(request), status, response: text.slice(0, 2_000) })
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  return result
}

interface Request {
  method: string
  path: string
  /** Parameters in the path. */
  names: Record<string, unknown>
  headers: Record<string, string>
  body: string | FormData | undefined
  isStream: boolean
}

// An empty segment, or one of dots, would be another address.
const toSegment = (value: unknown) => encodeURIComponent(toText(value).replace(/^\.{0,2}$/, 'x'))
const toText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')).toWellFormed()

function toRequest(
  { operation, who, broken, ...raw }: Draft,
  credentials: Credentials,
  memory: Memory,
  welcome: readonly string[],
): Request {
  const { method, security, responses } = operation
  const parts = memory.fill({ path: raw.path, query: raw.query, headers: raw.headers }) as Record<string, Record<string, unknown>>
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => toSegment(parts.path![name]))
  const query = new URLSearchParams(Object.entries(parts.query!).map(([name, value]): [string, string] => [name, toText(value)])).toString()
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(parts.headers!)) headers[name.toLowerCase()] = toText(value).replace(/[^\x20-\x7e]/g, '?')
  const all = Object.values(credentials).flat()
  const [scheme] = Object.keys(security[0] ?? {}) as (keyof Credentials)[]
  const choices = who % 10 < 2 ? [...all, ''] : who % 10 > 5 && welcome.length > 0 ? welcome : scheme ? credentials[scheme] : ['']
  const token = choices[who % choices.length]
  if (token) headers.authorization = `Bearer ${token}`
  const body = broken ?? (raw.body === undefined ? undefined : toBody(operation, memory.fill(raw.body)))
  if (body !== undefined && typeof body === 'string') headers['content-type'] = 'application/json'
  const isStream = responses['200']?.content?.['text/event-stream'] !== undefined
  return { method, names: parts.path!, path: query ? `${path}?${query}` : path, headers, body, isStream }
}

function toBody(operation: Operation, value: unknown): string | FormData | undefined {
  if (operation.body?.media !== 'multipart/form-data') return JSON.stringify(value)
  const form = new FormData()
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : []
  for (const [name, one] of fields) {
    if (name === 'file') form.append('file', new File([toText(one)], `a.${operation.path.includes('configuration') ? 'js' : 'crbfw'}`))
    else form.append(name, toText(one))
  }
  return form
}

async function send(url: string, { method, path, headers, body, isStream }: Request) {
  const abort = new AbortController()
  setMaxListeners(0, abort.signal)
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal: abort.signal,
  })
  const type = (response.headers.get('content-type') ?? '').split(';')[0]!
  const isOpen = isStream && type === 'text/event-stream'
  const text = isOpen ? '' : await response.text()
  if (isOpen) abort.abort()
  return { status: response.status, type, text }
}

function describe({ method, path, headers, body }: Request): string {
  const shown =
    body instanceof FormData
      ? JSON.stringify([...body].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]))
      : body
  const { authorization = 'no credential', ...rest } = headers
  return `${method} ${path} ${JSON.stringify(rest)} ${authorization.slice(0, 40)}… ${shown ?? ''}`.slice(0, 2_000)
}

/** The judge returns a sentence; null for a response that the document has. */
function createJudge({ components }: ApiDocument) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const compiled = new Map<Schema, ValidateFunction>()
  const breaks = (schema: Schema, text: string): string | null => {
    const validate = compiled.get(schema) ?? ajv.compile(schema)
    compiled.set(schema, validate)
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return 'The response is no JSON.'
    }
    return validate(value) ? null : `The response breaks its schema: ${ajv.errorsText(validate.errors)}`
  }
  const problem = components.responses.Problem.content['application/problem+json'].schema as Schema
  return ({ responses }: Operation, status: number, type: string, text: string): string | null => {
    if (status >= 500) return `The status is ${status}.`
    const documented = responses[status]
    if (!documented) {
      if (status < 400) return `The document has no ${status}.`
      return type === 'application/problem+json' ? breaks(problem, text) : `A refusal is ${type}, no problem document.`
    }
    const media = Object.entries(documented.content ?? {}).map(([name, { schema }]) => ({ name: name.split(';')[0]!, schema }))
    const one = media.find(({ name }) => name === type)
    if (!one && (media.length > 0 || text !== ''))
      return `The response is ${type || 'of no type'}, in the document ${media.map(({ name }) => name).join()}.`
    return one?.name === 'application/json' ? breaks(one.schema, text) : null
  }
}
