import type { SalesforceAccess } from './settings.ts'

const version = 'v64.0'
/** Most pieces of work under way that hold a connection of the database's pool, which a slow Salesforce must not use up. */
const mostHurried = 8

/**
 * What went wrong at Salesforce.
 * - `unreachable`: it was not reached, or says that it is not available; nothing was done.
 * - `busy`: more is under way than may be.
 * - `unclear`: a write was broken off, so nobody knows whether it was done.
 * - `late`: a read had no answer in time.
 * - `limit`: the organization has no calls left.
 * - `invalid`: the values are wrong, see `errors`.
 * - `broken`: it refused for reasons that are not the caller's, such as a wrong secret or a missing field.
 */
export type SalesforceFault = 'unreachable' | 'busy' | 'unclear' | 'late' | 'limit' | 'invalid' | 'broken'

/** An error as Salesforce's REST API says it. */
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

/** The REST API of one Salesforce organization. All of it throws SalesforceErrors. */
export interface Salesforce {
  /** Records of a query, all its batches, and how many there are. */
  query<Row>(soql: string): Promise<{ records: Row[]; total: number }>
  /** The fields of a record, or undefined where there is none. */
  read<Row>(object: string, id: string, fields: readonly string[]): Promise<Row | undefined>
  /** Adds a record; answers its id. */
  create(object: string, values: Values): Promise<string>
  /** Answers whether there is such a record. */
  update(object: string, id: string, values: Values): Promise<boolean>
  remove(object: string, id: string): Promise<boolean>
  /** Does work that others wait for, unless too much of it is under way. */
  hurried<Done>(work: () => Promise<Done>): Promise<Done>
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

/** Signs in when first needed (OAuth client credentials), and again when the session has expired. */
export function createSalesforce({ url, clientId, clientSecret, timeoutMs }: SalesforceAccess): Salesforce {
  let session: Promise<Session> | undefined
  let hurried = 0

  async function signIn(): Promise<Session> {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret })
    const answer = await exchange(`${url}/services/oauth2/token`, { method: 'POST', body }, timeoutMs, 'late')
    const { access_token, instance_url, error, error_description } = (answer.body ?? {}) as Record<string, unknown>
    if (answer.status >= 500) throw new SalesforceError('unreachable', `Signing in was answered ${answer.status}`)
    if (typeof access_token !== 'string') throw new SalesforceError('broken', `Signing in was refused: ${error} ${error_description}`)
    return { token: access_token, url: typeof instance_url === 'string' ? trusted(instance_url, url) : url }
  }

  /** One session for all calls; one that could not be had is asked for again by the next. */
  function signedIn(): Promise<Session> {
    session ??= signIn().catch((error) => {
      session = undefined
      throw error
    })
    return session
  }

  async function send(method: Method, path: string, values?: Values): Promise<Answer> {
    const attempt = async (current: Session) => {
      const headers = { authorization: `Bearer ${current.token}`, ...(values && { 'content-type': 'application/json' }) }
      const request = { method, headers, ...(values && { body: JSON.stringify(values) }) }
      return exchange(`${current.url}${path}`, request, timeoutMs, method === 'GET' ? 'late' : 'unclear')
    }
    const used = signedIn()
    const answer = await attempt(await used)
    if (answer.status !== 401) return answer
    // Expired: many calls may meet it at once, and the first of them signs in again for all.
    if (session === used) session = undefined
    return attempt(await signedIn())
  }

  const write = async (method: Method, path: string, values?: Values): Promise<Answer> =>
    accepted(await send(method, path, values), 'unclear')

  const recordPath = (object: string, id: string) => `/services/data/${version}/sobjects/${object}/${encodeURIComponent(id)}`

  return {
    async query<Row>(soql: string) {
      const records: Row[] = []
      let next: string | undefined = `/services/data/${version}/query?q=${encodeURIComponent(soql)}`
      let total = 0
      while (next !== undefined) {
        const { body } = accepted(await send('GET', next), 'broken')
        const page = body as { records?: Row[]; totalSize?: number; done?: boolean; nextRecordsUrl?: string } | undefined
        if (!page?.records) throw new SalesforceError('broken', 'A query was answered without records')
        records.push(...page.records)
        total = page.totalSize ?? records.length
        // A path of the instance, never another address.
        next = page.done === false && page.nextRecordsUrl?.startsWith('/services/') ? page.nextRecordsUrl : undefined
      }
      return { records, total }
    },
    async read<Row>(object: string, id: string, fields: readonly string[]) {
      const answer = await send('GET', `${recordPath(object, id)}?fields=${fields.join(',')}`)
      return isMissing(answer) ? undefined : (accepted(answer, 'broken').body as Row)
    },
    async create(object, values) {
      const { body } = await write('POST', `/services/data/${version}/sobjects/${object}`, values)
      const { id } = (body ?? {}) as { id?: unknown }
      if (typeof id !== 'string') throw new SalesforceError('unclear', 'A record was added without an id')
      return id
    },
    update: (object, id, values) => found(write('PATCH', recordPath(object, id), values)),
    remove: (object, id) => found(write('DELETE', recordPath(object, id))),
    async hurried(work) {
      if (hurried >= mostHurried) throw new SalesforceError('busy', `${hurried} pieces of work are under way`)
      hurried++
      try {
        return await work()
      } finally {
        hurried--
      }
    },
  }
}

const missing = new Set(['NOT_FOUND', 'ENTITY_IS_DELETED', 'MALFORMED_ID', 'INVALID_CROSS_REFERENCE_KEY'])
const isMissing = ({ status, body }: Answer): boolean => status === 404 || (status === 400 && parseFaults(body).some(namesNothing))
const namesNothing = ({ errorCode, fields = [] }: Fault): boolean => missing.has(errorCode) && fields.length === 0

async function found(write: Promise<Answer>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (error instanceof SalesforceError && error.errors.some(namesNothing)) return false
    throw error
  }
}

/** Codes of Salesforce for values that are the caller's to mend. */
const wrongValues =
  /^(REQUIRED_FIELD_MISSING|STRING_TOO_LONG|FIELD_CUSTOM_VALIDATION_EXCEPTION|FIELD_INTEGRITY_EXCEPTION|INVALID_EMAIL_ADDRESS|INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST|INVALID_CROSS_REFERENCE_KEY|MALFORMED_ID)$/

/** The answer where it is one; throws what it says went wrong. `doubt` is what a 5xx leaves behind. */
function accepted(answer: Answer, doubt: 'unclear' | 'broken'): Answer {
  const { status, body } = answer
  if (status < 300) return answer
  const errors = parseFaults(body)
  const codes = errors.map(({ errorCode }) => errorCode)
  const said = `Salesforce answered ${status} ${errors.map(({ errorCode, message }) => `${errorCode}: ${message}`).join(', ')}`
  const fault = ((): SalesforceFault => {
    if (codes.includes('REQUEST_LIMIT_EXCEEDED') || status === 429) return 'limit'
    if (status === 503 || codes.includes('UNABLE_TO_LOCK_ROW') || codes.includes('SERVER_UNAVAILABLE')) return 'unreachable'
    if (status >= 500) return doubt
    return codes.length > 0 && codes.every((code) => wrongValues.test(code)) ? 'invalid' : 'broken'
  })()
  throw new SalesforceError(fault, said, { errors })
}

const parseFaults = (body: unknown): Fault[] =>
  Array.isArray(body) ? body.filter((one): one is Fault => typeof one?.errorCode === 'string' && typeof one?.message === 'string') : []

/** Errors of a connection that never came about. */
const notSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

/** Sends a request and reads its answer to the end, within a time. `doubt` is what no answer leaves behind. */
async function exchange(url: string, request: RequestInit, timeoutMs: number, doubt: 'late' | 'unclear'): Promise<Answer> {
  try {
    const response = await fetch(url, { ...request, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    return { status: response.status, body: json(await response.text()) }
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } }
    if (notSent.has(cause?.code ?? '')) throw new SalesforceError('unreachable', 'Salesforce was not reached', { cause: error })
    if (doubt === 'late' && name !== 'TimeoutError')
      throw new SalesforceError('unreachable', 'Salesforce broke the connection', { cause: error })
    throw new SalesforceError(doubt, 'Salesforce gave no answer', { cause: error })
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where the session's calls go: what signing in answered, unless the token would travel in the open. */
function trusted(instance: string, url: string): string {
  if (!URL.canParse(instance)) return url
  const { protocol, origin } = new URL(instance)
  return protocol === 'https:' || protocol === new URL(url).protocol ? origin : url
}

/** A text as a literal of a query: quoted, with what would end it escaped. */
export const soqlText = (text: string): string =>
  `'${text
    .replace(/[\\']/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\p{Cc}/gu, ' ')}'`

/** A literal for LIKE that finds a text anywhere. */
export const soqlAnywhere = (text: string): string => {
  const inner = soqlText(text).slice(1, -1)
  return `'%${inner.replace(/[%_]/g, '\\$&')}%'`
}
