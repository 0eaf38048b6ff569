import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseSoql, type SalesforceRecord } from './soql.ts'

/** How the next calls for data fail. */
export type Trouble =
  | 'none'
  | 'expired'
  | 'limit'
  | 'unavailable'
  | 'fails'
  | 'cut'
  | 'cut after'
  | 'slow'
  | 'gibberish'
  | 'locked'
  | 'denied'

/** The REST API as documented: OAuth client credentials, query, records of Case and Contact. */
export interface FakeSalesforce {
  url: string
  clientId: string
  clientSecret: string
  /** Records by object and id. */
  records: { Case: Map<string, SalesforceRecord>; Contact: Map<string, SalesforceRecord>; RecordType: Map<string, SalesforceRecord> }
  /** Such as `sign in`, `GET query`, `PATCH Case`. */
  calls: string[]
  queries: string[]
  trouble: Trouble
  /** Records per response. */
  batch: number
  /** Returns the id. */
  add(object: 'Case' | 'Contact' | 'RecordType', record: SalesforceRecord): string
  close(): Promise<void>
}

const version = 'v64.0'
const prefixes = { Case: '500', Contact: '003', RecordType: '012' }
const statuses = new Set(['New', 'Working', 'Escalated', 'Closed'])

class Refusal extends Error {
  readonly status: number
  readonly body: { errorCode: string; message: string; fields?: string[] }[]
  constructor(status: number, errorCode: string, message: string, fields?: string[]) {
    super(message)
    this.status = status
    this.body = [{ errorCode, message, ...(fields && { fields }) }]
  }
}

/** @param requiresModel a validation rule of its administrator. */
export async function startSalesforce({
  requiresModel = false,
  port = 0,
  clientSecret = `secret-${randomUUID()}`,
} = {}): Promise<FakeSalesforce> {
  const records: FakeSalesforce['records'] = { Case: new Map(), Contact: new Map(), RecordType: new Map() }
  const sessions = new Set<string>()
  const batches = new Map<string, { records: unknown[]; total: number }>()
  let serial = 0

  const fake: FakeSalesforce = {
    url: '',
    clientId: 'portal',
    clientSecret,
    records,
    calls: [],
    queries: [],
    trouble: 'none',
    batch: 2_000,
    add(object, record) {
      const id = `${prefixes[object]}${String(++serial).padStart(12, '0')}AAA`
      const added = {
        CreatedDate: new Date(Date.now() + serial).toISOString().replace('Z', '+0000'),
        CaseNumber: String(serial).padStart(8, '0'),
      }
      records[object].set(id, { Id: id, ...(object === 'Case' && added), ...record })
      return id
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }

  /** A formula field repeats the contact's address. */
  const withFormula = (record: SalesforceRecord): SalesforceRecord => ({
    ...record,
    ContactEmail: records.Contact.get(record.ContactId ?? '')?.Email ?? null,
  })

  function signIn(body: string) {
    const form = new URLSearchParams(body)
    if (form.get('grant_type') !== 'client_credentials')
      return { status: 400, body: { error: 'unsupported_grant_type', error_description: 'grant type not supported' } }
    if (form.get('client_id') !== fake.clientId || form.get('client_secret') !== fake.clientSecret)
      return { status: 400, body: { error: 'invalid_client', error_description: 'invalid client credentials' } }
    const token = randomUUID()
    sessions.add(token)
    return { status: 200, body: { access_token: token, instance_url: fake.url, token_type: 'Bearer', scope: 'api' } }
  }

  function page(found: unknown[], total: number) {
    if (found.length <= fake.batch) return { totalSize: total, done: true, records: found }
    const locator = `01g${randomUUID().slice(0, 8)}-${fake.batch}`
    batches.set(locator, { records: found.slice(fake.batch), total })
    return {
      totalSize: total,
      done: false,
      nextRecordsUrl: `/services/data/${version}/query/${locator}`,
      records: found.slice(0, fake.batch),
    }
  }

  function query(soql: string) {
    fake.queries.push(soql)
    const parsed = (() => {
      try {
        return parseSoql(soql)
      } catch (error) {
        throw new Refusal(400, 'MALFORMED_QUERY', (error as Error).message)
      }
    })()
    const { object, fields, matches, order, limit, offset } = parsed
    if (!(object in records)) throw new Refusal(400, 'INVALID_TYPE', `sObject type '${object}' is not supported.`)
    if (offset > 2_000) throw new Refusal(400, 'NUMBER_OUTSIDE_VALID_RANGE', 'Maximum SOQL offset allowed is 2000')
    const found = [...records[object as 'Case'].values()].map(withFormula).filter(matches)
    for (const { field, descending } of order.toReversed())
      found.sort((a, b) => (descending ? -1 : 1) * ((a[field] ?? '') < (b[field] ?? '') ? -1 : (a[field] ?? '') > (b[field] ?? '') ? 1 : 0))
    if (fields.length === 0) return { totalSize: found.length, done: true, records: [] }
    const shown = found.slice(offset, offset + limit).map((record) => pick(object, record, fields))
    return page(shown, shown.length)
  }

  const pick = (object: string, record: SalesforceRecord, fields: readonly string[]) => ({
    attributes: { type: object, url: `/services/data/${version}/sobjects/${object}/${record.Id}` },
    ...Object.fromEntries(fields.map((field) => [field, record[field] ?? null])),
  })

  function validate(values: SalesforceRecord, isNew: boolean): void {
    if ('Id' in values || 'ContactEmail' in values)
      throw new Refusal(400, 'INVALID_FIELD_FOR_INSERT_UPDATE', 'Unable to create/update fields: ContactEmail', ['ContactEmail'])
    if (values.Status !== undefined && !statuses.has(values.Status ?? ''))
      throw new Refusal(
        400,
        'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
        `Status: bad value for restricted picklist field: ${values.Status}`,
        ['Status'],
      )
    if ((values.Subject ?? '').length > 255)
      throw new Refusal(400, 'STRING_TOO_LONG', 'Subject: data value too large (max length=255)', ['Subject'])
    if (values.RecordTypeId && !records.RecordType.has(values.RecordTypeId))
      throw new Refusal(400, 'INVALID_CROSS_REFERENCE_KEY', 'Record Type ID: this ID value isn’t valid for the user', ['RecordTypeId'])
    if (requiresModel && isNew && !values.Model__c)
      throw new Refusal(400, 'REQUIRED_FIELD_MISSING', 'Required fields are missing: [Model__c]', ['Model__c'])
  }

  function record(method: string, id: string | undefined, fields: string[], values: SalesforceRecord) {
    if (method === 'POST') {
      validate(values, true)
      return { status: 201, body: { id: fake.add('Case', { Status: 'New', ...values }), success: true, errors: [] } }
    }
    const found = records.Case.get(id ?? '')
    if (!found) throw new Refusal(404, method === 'DELETE' ? 'ENTITY_IS_DELETED' : 'NOT_FOUND', 'The requested resource does not exist')
    if (method === 'GET') return { status: 200, body: pick('Case', withFormula(found), fields) }
    if (method === 'DELETE') records.Case.delete(id ?? '')
    else {
      validate(values, false)
      Object.assign(found, values)
    }
    return { status: 204, body: undefined }
  }

  function applyTrouble(request: IncomingMessage, response: ServerResponse): boolean {
    if (fake.trouble === 'expired') {
      sessions.clear()
      fake.trouble = 'none'
    }
    if (fake.trouble === 'limit') throw new Refusal(403, 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.')
    if (fake.trouble === 'unavailable') throw new Refusal(503, 'SERVER_UNAVAILABLE', 'The REST API is unavailable.')
    if (fake.trouble === 'fails') throw new Refusal(500, 'UNKNOWN_EXCEPTION', 'An unexpected error occurred.')
    if (fake.trouble === 'locked') throw new Refusal(400, 'UNABLE_TO_LOCK_ROW', 'unable to obtain exclusive access to this record')
    if (fake.trouble === 'denied') throw new Refusal(403, 'INSUFFICIENT_ACCESS', 'insufficient access rights on object id')
    if (fake.trouble === 'gibberish') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>')
    if (fake.trouble === 'cut') request.socket.destroy()
    return fake.trouble === 'gibberish' || fake.trouble === 'cut' || fake.trouble === 'slow'
  }

  const splitPath = ({ pathname }: URL) => {
    const [, kind = '', name = '', id] = /^\/services\/data\/v64\.0\/(query|sobjects)(?:\/([\w-]+))?(?:\/(\w+))?$/.exec(pathname) ?? []
    return { kind, name, id }
  }
  const toCall = (method: string, url: URL) => {
    const { kind, name } = splitPath(url)
    return `${method} ${kind === 'query' ? 'query' : name}`
  }

  /** Responds to a signed-in caller. */
  function answerData(method: string, url: URL, body: string) {
    const { kind, name, id } = splitPath(url)
    if (kind === 'query' && name !== '') {
      const batch = batches.get(name)
      if (!batch) throw new Refusal(400, 'INVALID_QUERY_LOCATOR', 'invalid query locator')
      return { status: 200, body: page(batch.records, batch.total) }
    }
    if (kind === 'query') return { status: 200, body: query(url.searchParams.get('q') ?? '') }
    if (kind !== 'sobjects' || name !== 'Case') throw new Refusal(404, 'NOT_FOUND', 'The requested resource does not exist')
    return record(method, id, url.searchParams.get('fields')?.split(',') ?? [], body ? JSON.parse(body) : {})
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += chunk
    const url = new URL(request.url ?? '/', fake.url)
    const method = request.method ?? 'GET'
    const send = (status: number, content: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json;charset=UTF-8' })
        .end(content === undefined ? undefined : JSON.stringify(content))
    if (method === 'PUT' && url.pathname.startsWith('/trouble/')) {
      fake.trouble = decodeURIComponent(url.pathname.slice('/trouble/'.length)) as Trouble
      return void send(204, undefined)
    }
    if (url.pathname === '/services/oauth2/token') {
      fake.calls.push('sign in')
      const { status, body: content } = signIn(body)
      return void send(status, content)
    }
    fake.calls.push(toCall(method, url))
    try {
      if (applyTrouble(request, response)) return
      const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
      if (!sessions.has(token)) throw new Refusal(401, 'INVALID_SESSION_ID', 'Session expired or invalid')
      const done = answerData(method, url, body)
      if (fake.trouble === 'cut after' && splitPath(url).kind === 'sobjects') return void request.socket.destroy()
      send(done.status, done.body)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      send(error.status, error.body)
    }
  }
  const http = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
  fake.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return fake
}

/** With these a response is late after one second. */
export const salesforceSettings = ({ url, clientId, clientSecret }: FakeSalesforce): Record<string, string> => ({
  SALESFORCE_URL: url,
  SALESFORCE_CLIENT_ID: clientId,
  SALESFORCE_CLIENT_SECRET: clientSecret,
  SALESFORCE_TIMEOUT: '1',
})
