import type { SalesforceAccess } from './settings.ts'

const version = 'v64.0'
// Each piece of work holds a connection to the database, so a slow Salesforce must not use up the pool.
const maxConcurrent = 8

/**
 * - `unreachable`: not reached or not available; nothing was done.
 * - `busy`: more than `maxConcurrent` pieces of work.
 * - `unclear`: a write got no response; it may have been done.
 * - `late`: a read got no response in time.
 * - `limit`: the organization has no calls left.
 * - `invalid`: wrong values, see `errors`.
 * - `broken`: refused for another reason, such as a wrong secret or a missing field.
 */
export type SalesforceFault = 'unreachable' | 'busy' | 'unclear' | 'late' | 'limit' | 'invalid' | 'broken'

interface Fault {
  errorCode: string
  message: string
  fields?: string[]
}

export class SalesforceError extends Error {
  readonly fault: SalesforceFault
  readonly errors: readonly Fault[]

  constructor(fault: SalesforceFault, message: string, { errors = [], cause }: { errors?: readonly Fault[]; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'SalesforceError'
    this.fault = fault
    this.errors = errors
  }
}

type Values = Record<string, unknown>

/** The REST API of one organization. Every method throws a SalesforceError; `update` and `remove` return false where there is no such record. */
export interface Salesforce {
  query<Row>(soql: string): Promise<{ records: Row[]; total: number }>
  read<Row>(object: string, id: string, fields: readonly string[]): Promise<Row | undefined>
  create(object: string, values: Values): Promise<string>
  update(object: string, id: string, values: Values): Promise<boolean>
  remove(object: string, id: string): Promise<boolean>
  limited<Done>(work: () => Promise<Done>): Promise<Done>
}

interface Session {
  token: string
  url: string
}
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
interface Answer {
  status: number
  body: unknown
}
type Send = (method: Method, path: string, values?: Values) => Promise<Answer>

export function createSalesforce(access: SalesforceAccess): Salesforce {
  const send = createSender(access)
  const write: Send = async (method, path, values) => requireSuccess(await send(method, path, values), 'unclear')
  const toPath = (object: string, id: string) => `/services/data/${version}/sobjects/${object}/${encodeURIComponent(id)}`
  let running = 0
  return {
    query: (soql) => queryAll(send, soql),
    async read<Row>(object: string, id: string, fields: readonly string[]) {
      const answer = await send('GET', `${toPath(object, id)}?fields=${fields.join(',')}`)
      return isMissing(answer) ? undefined : (requireSuccess(answer, 'broken').body as Row)
    },
    async create(object, values) {
      const { body } = await write('POST', `/services/data/${version}/sobjects/${object}`, values)
      const { id } = (body ?? {}) as { id?: unknown }
      if (typeof id !== 'string') throw new SalesforceError('unclear', 'A record was added without an id')
      return id
    },
    update: (object, id, values) => isFound(write('PATCH', toPath(object, id), values)),
    remove: (object, id) => isFound(write('DELETE', toPath(object, id))),
    async limited(work) {
      if (running >= maxConcurrent) throw new SalesforceError('busy', `${running} pieces of work are running`)
      running++
      try {
        return await work()
      } finally {
        running--
      }
    },
  }
}

function createSender({ url, clientId, clientSecret, timeoutMs }: SalesforceAccess): Send {
  let session: Promise<Session> | undefined

  async function signIn(): Promise<Session> {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret })
    const answer = await exchange(`${url}/services/oauth2/token`, { method: 'POST', body }, timeoutMs, 'late')
    const { access_token, instance_url, error, error_description } = (answer.body ?? {}) as Record<string, unknown>
    if (answer.status >= 500) throw new SalesforceError('unreachable', `Sign-in failed with status ${answer.status}`)
    if (typeof access_token !== 'string') throw new SalesforceError('broken', `Sign-in was refused: ${error} ${error_description}`)
    return { token: access_token, url: typeof instance_url === 'string' ? toSafeOrigin(instance_url, url) : url }
  }

  function getSession(): Promise<Session> {
    session ??= signIn().catch((error) => {
      session = undefined
      throw error
    })
    return session
  }

  return async (method, path, values) => {
    const attempt = async (current: Session) => {
      const headers = { authorization: `Bearer ${current.token}`, ...(values && { 'content-type': 'application/json' }) }
      const request = { method, headers, ...(values && { body: JSON.stringify(values) }) }
      return exchange(`${current.url}${path}`, request, timeoutMs, method === 'GET' ? 'late' : 'unclear')
    }
    const used = getSession()
    const answer = await attempt(await used)
    if (answer.status !== 401) return answer
    // The session has expired. Of many calls at once only the first signs in again.
    if (session === used) session = undefined
    return attempt(await getSession())
  }
}

async function queryAll<Row>(send: Send, soql: string): Promise<{ records: Row[]; total: number }> {
  const records: Row[] = []
  let next: string | undefined = `/services/data/${version}/query?q=${encodeURIComponent(soql)}`
  let total = 0
  while (next !== undefined) {
    const { body } = requireSuccess(await send('GET', next), 'broken')
    const page = body as { records?: Row[]; totalSize?: number; done?: boolean; nextRecordsUrl?: string } | undefined
    if (!page?.records) throw new SalesforceError('broken', 'A query returned no records')
    records.push(...page.records)
    total = page.totalSize ?? records.length
    // Keeps only a path, so that the token is sent to no other host.
    next = page.done === false && page.nextRecordsUrl?.startsWith('/services/') ? page.nextRecordsUrl : undefined
  }
  return { records, total }
}

const missing = new Set(['NOT_FOUND', 'ENTITY_IS_DELETED', 'MALFORMED_ID', 'INVALID_CROSS_REFERENCE_KEY'])
const isMissing = ({ status, body }: Answer): boolean => status === 404 || (status === 400 && parseFaults(body).some(namesNothing))
const namesNothing = ({ errorCode, fields = [] }: Fault): boolean => missing.has(errorCode) && fields.length === 0

async function isFound(write: Promise<Answer>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (error instanceof SalesforceError && error.errors.some(namesNothing)) return false
    throw error
  }
}

const wrongValues =
  /^(REQUIRED_FIELD_MISSING|STRING_TOO_LONG|FIELD_CUSTOM_VALIDATION_EXCEPTION|FIELD_INTEGRITY_EXCEPTION|INVALID_EMAIL_ADDRESS|INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST|INVALID_CROSS_REFERENCE_KEY|MALFORMED_ID)$/

function requireSuccess(answer: Answer, doubt: 'unclear' | 'broken'): Answer {
  const { status, body } = answer
  if (status < 300) return answer
  const errors = parseFaults(body)
  const codes = errors.map(({ errorCode }) => errorCode)
  const message = `Salesforce returned ${status} ${errors.map(({ errorCode, message }) => `${errorCode}: ${message}`).join(', ')}`
  const fault = ((): SalesforceFault => {
    if (codes.includes('REQUEST_LIMIT_EXCEEDED') || status === 429) return 'limit'
    if (status === 503 || codes.includes('UNABLE_TO_LOCK_ROW') || codes.includes('SERVER_UNAVAILABLE')) return 'unreachable'
    if (status >= 500) return doubt
    return codes.length > 0 && codes.every((code) => wrongValues.test(code)) ? 'invalid' : 'broken'
  })()
  throw new SalesforceError(fault, message, { errors })
}

const parseFaults = (body: unknown): Fault[] =>
  Array.isArray(body) ? body.filter((one): one is Fault => typeof one?.errorCode === 'string' && typeof one?.message === 'string') : []

const connectErrors = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

/** @param doubt the fault when there is no response in time. */
async function exchange(url: string, request: RequestInit, timeoutMs: number, doubt: 'late' | 'unclear'): Promise<Answer> {
  try {
    const response = await fetch(url, { ...request, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    return { status: response.status, body: parseJson(await response.text()) }
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } }
    if (connectErrors.has(cause?.code ?? '')) throw new SalesforceError('unreachable', 'Salesforce was not reached', { cause: error })
    if (doubt === 'late' && name !== 'TimeoutError')
      throw new SalesforceError('unreachable', 'Salesforce broke the connection', { cause: error })
    throw new SalesforceError(doubt, 'Salesforce did not respond', { cause: error })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The origin of `instance`, or `url` where the token would be sent unencrypted. */
function toSafeOrigin(instance: string, url: string): string {
  if (!URL.canParse(instance)) return url
  const { protocol, origin } = new URL(instance)
  return protocol === 'https:' || protocol === new URL(url).protocol ? origin : url
}

export const soqlText = (text: string): string =>
  `'${text
    .replace(/[\\']/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\p{Cc}/gu, ' ')}'`

export const soqlContains = (text: string): string => {
  const inner = soqlText(text).slice(1, -1)
  return `'%${inner.replace(/[%_]/g, '\\$&')}%'`
}
