import { pipeline, Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { EndpointName } from '@lectern/contract/endpoints.ts'
import { endpoints } from '@lectern/contract/endpoints.ts'
import { defaultBodyBytes, type Endpoint, isOfPerson } from '@lectern/contract/http/endpoint.ts'
import { computeEtag } from '@lectern/contract/http/etag.ts'
import { findMostValues } from '@lectern/contract/http/most-values.ts'
import { organizationHeader } from '@lectern/contract/http/request.ts'
import { listIssues } from '@lectern/contract/http/schema-issues.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Actor } from '../actor.ts'
import { type Database, inTransaction } from '../database/database.ts'
import { ofOrganization } from '../database/organization.ts'
import {
  type Authentication,
  type Caller,
  describeMissing,
  enterOrganization,
  findActiveOrganization,
  type KnownPerson,
  needsPasskey,
  type OrganizationIds,
  type PersonOptions,
  toCallerKey,
} from './caller.ts'
import { type ChosenDatabases, chooseDatabases, type Databases } from './choose-databases.ts'
import { createGates, findGate, type Gates, type RefusedReports } from './gate.ts'
import { hashRequest, isIdempotentByKey, type Rights, runOnce } from './idempotency.ts'
import { createIfMatch } from './if-match.ts'
import { whenClosed } from './leaving.ts'
import { createLookups, type Lookups } from './lookups.ts'
import { beyondZones, Problem } from './problem.ts'
import { createReservations } from './reservations.ts'
import { type EventSource, recheckMs, sendEvents } from './send-events.ts'
import { type Handlers, inParts, preparations, type Services, type Streamed } from './serve.ts'
import './sentences.ts'
import { receiveUpload } from './upload.ts'

type AnyHandler = (call: Record<string, unknown>) => Promise<unknown>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
    organization: OrganizationIds | null
  }
}

/** Bounds of what may be stored. Each method throws a Problem 409. */
interface StorageQuotas {
  /** Called at the end of a transaction. Organization 0: of none. */
  check(db: Database, stored: { organizationId: number; caller: Caller; hasFile: boolean }): Promise<void>
  /** Called before so many bytes of files are received. */
  checkUpload(db: Database, organizationId: number, bytes: number): Promise<void>
}

interface Parts {
  services: Services
  databases: Databases
  /** Endpoints about more than one organization, each with the reason. */
  crossingEndpoints: Partial<Record<EndpointName, string>>
  authentication: Authentication
  handlers: Handlers
  quotas: StorageQuotas
  refusedReports: RefusedReports
}

/**
 * Serves the contract. Each call is authorized, validated, run (a write in a transaction, once per Idempotency-Key, with If-Match), and its
 * response checked.
 */
export function serveContract(app: FastifyInstance, parts: Parts): void {
  app.decorateRequest('caller', null)
  app.decorateRequest('organization', null)
  const gates = createGates(parts.services.settings, parts.refusedReports)
  const reserve = createReservations((organizationId, bytes) =>
    parts.quotas.checkUpload(ofOrganization(parts.databases.own, organizationId), organizationId, bytes),
  )
  const who = { authentication: parts.authentication, lookups: createLookups() }
  for (const [name, endpoint] of Object.entries(endpoints) as [keyof Handlers, Endpoint][]) {
    const limit = createLimiter(app, endpoint)
    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      // It would read the whole file without a place at its gate, and send nothing.
      ...(endpoint.download ? { exposeHeadRoute: false } : {}),
      // Compressing would delay events, and would not fit the uncompressed range of a part.
      ...(endpoint.events || endpoint.download?.contentType === 'application/octet-stream' ? { compress: false } : {}),
      bodyLimit: endpoint.maxBodyBytes ?? defaultBodyBytes,
      config: {
        mostValues: findMostValues(endpoint),
        ...(endpoint.inPieces ? { rateLimit: { max: 10 * parts.services.settings.rateLimit } } : {}),
      },
      // Runs before the body is read.
      preParsing: async (request, reply, payload) => {
        await authorize(endpoint, who, request)
        await limit?.(request)
        await gates.admit(endpoint, request, reply.raw)
        return payload
      },
      handler: async (request, reply) => {
        const choose = () => chooseDatabases(parts.databases, parts.services, endpoint, name in parts.crossingEndpoints, request)
        const handler = parts.handlers[name] as unknown as AnyHandler
        return serve(endpoint, handler, { ...parts, ...who, gates, reserve, choose }, request, reply)
      },
    })
  }
}

function createLimiter(app: FastifyInstance, { callsPerMinute }: Endpoint) {
  if (callsPerMinute === undefined) return undefined
  const keyGenerator = ({ caller }: FastifyRequest) => toCallerKey(caller)
  const count = app.createRateLimit({ max: callsPerMinute, timeWindow: '1 minute', keyGenerator })
  return async (request: FastifyRequest): Promise<void> => {
    const result = await count(request)
    if (!result.isAllowed && result.isExceeded)
      throw new Problem(429, 'Too many requests. Wait a moment and try again.', { retryAfter: result.ttlInSeconds })
  }
}

type Gated = Parts & Who & { gates: Gates; reserve: ReturnType<typeof createReservations>; choose(): ChosenDatabases }
type Chosen = Gated & ChosenDatabases

/** What finding out the caller needs. */
interface Who {
  authentication: Authentication
  lookups: Lookups
}

async function serve(endpoint: Endpoint, handler: AnyHandler, parts: Gated, request: FastifyRequest, reply: FastifyReply) {
  const raw = request.params as Record<string, string>
  const params = { ...raw, ...(validate(endpoint.params, raw) as object) }
  const query = validate(endpoint.query, request.query)
  const closed = new AbortController()
  if (request.raw.destroyed && !request.raw.complete) closed.abort()
  whenClosed(reply.raw, () => closed.abort())
  const { content, received, discard } = await receive(endpoint, parts, request)
  let leave = () => {}
  let body: unknown
  try {
    // Waits for a place only once the body is there: one that comes slowly holds none.
    leave = await parts.gates.enter(endpoint, parts.choose(), request, reply.raw)
    await authorizeAgain(endpoint, parts, request, reply)
    const chosen = { ...parts, ...parts.choose() }
    const { caller, organization } = request
    const zones = caller && 'userId' in caller ? caller.zones : null
    const call = {
      ...parts.services,
      lists: chosen.lists,
      exportPool: chosen.exportPool,
      params: { ...params, ...(organization && { organizationId: organization.id, zones }) },
      query,
      caller,
      organization,
      headers: request.headers,
      actor: { caller, address: request.ip, requestId: request.id } satisfies Actor,
      signal: closed.signal,
      sinceReceived: () => reply.elapsedTime,
      ...received,
    }
    if (endpoint.method === 'GET' || endpoint.download) return await read(endpoint, handler, chosen, { request, reply, leave }, call)
    const isInParts = inParts.has(handler)
    body = isInParts ? await handler({ ...call, db: chosen.db }) : await runWrite(endpoint, handler, chosen, request, call, content)
  } finally {
    leave()
    await discard()
  }
  return sendReply(endpoint, reply, body)
}

// Receives the call's body. An upload is complete then; `discard` removes what of it was not stored.
async function receive({ upload, body }: Endpoint, { services, reserve }: Gated, request: FastifyRequest) {
  const discard = async () => {}
  if (upload) {
    const length = request.headers['content-length']
    const bytes = length === undefined ? null : Math.min(Number(length), upload.maxBytes)
    // Firmware releases belong to no organization, so nothing is reserved.
    const reservation = request.organization && (await reserve(request.organization.id, bytes))
    try {
      const { file, fields: texts } = await receiveUpload(request, upload.maxBytes, services.contents, reservation)
      const discardAll = async () => {
        reservation?.release()
        await file.discard()
      }
      try {
        const fields = validate(upload.fields, texts)
        return { content: [fields, file.name, file.hash], received: { file, fields }, discard: discardAll }
      } catch (error) {
        await file.discard()
        throw error
      }
    } catch (error) {
      reservation?.release()
      throw error
    }
  }
  if (!body) return { content: undefined, received: {}, discard }
  const content = validate(body, request.body)
  return { content, received: { body: content }, discard }
}

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
  /** Frees the place of the call. */
  leave(): void
}

async function read(endpoint: Endpoint, handler: AnyHandler, parts: Chosen, { request, reply, leave }: Exchange, call: object) {
  const { gates, organizationId } = parts
  const body = await handler({ ...call, db: parts.db })
  if (endpoint.events) return sendEvents(reply, body as EventSource, recheck(endpoint, parts, request))
  if (endpoint.download) return sendDownload(endpoint, gates, reply, body as Streamed)
  if (!endpoint.whole || !isIterable(body)) return sendReply(endpoint, reply, body)
  leave()
  await gates.enterList(organizationId, request, reply.raw)
  return sendItems(endpoint.whole, gates, reply, body)
}

async function runWrite(endpoint: Endpoint, handler: AnyHandler, parts: Chosen, request: FastifyRequest, call: object, content: unknown) {
  const key = isIdempotentByKey(endpoint) ? parseIdempotencyKey(request) : undefined
  const prepared = await preparations.get(handler)?.(call as never)
  let later: (() => Promise<void>)[] = []
  const result = await inTransaction(parts.db, async (db) => {
    later = []
    const match = endpoint.etag && createIfMatch(endpoint.etag, request.headers['if-match'])
    const afterCommit = (work: () => Promise<void>) => void later.push(work)
    const write = async () => {
      const body = await handler({ ...call, db, outside: parts.db, prepared, afterCommit, ...(match && { unchanged: match.unchanged }) })
      match?.confirm()
      return { status: endpoint.response ? 200 : 204, reply: body }
    }
    const hash = () => hashRequest(endpoint.method, request.url, content)
    const written = await (key === undefined
      ? write()
      : runOnce(
          db,
          { organizationId: parts.repliesOf, caller: toCallerKey(request.caller), key, hash: hash(), rights: findRights(request.caller) },
          write,
        ))
    await parts.quotas.check(db, { organizationId: parts.repliesOf, caller: request.caller, hasFile: endpoint.upload !== undefined })
    return written
  })
  for (const work of later) await work()
  return result.reply
}

const toAccount = ({ userId }: KnownPerson): string => `user ${userId}`

const findOwn = ({ organizations }: KnownPerson, id: string): OrganizationIds | undefined =>
  organizations.find(({ publicId }) => publicId === id)

/**
 * Sets the request's caller and the organization of its path. Throws a Problem 401 without a credential, 404 for an organization that the
 * caller does not see, 403 without the permission, or where a role limited to zones has no part in the endpoint.
 */
async function authorize(
  { access, limitedRole }: Endpoint,
  { authentication, lookups }: Who,
  request: FastifyRequest,
  how: PersonOptions = {},
) {
  if (access === 'public') return
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!token) throw new Problem(401, 'Sign in first.')
  if (access === 'agent' || access === 'licence') {
    const kind = access === 'agent' ? 'host' : 'licence'
    request.caller = await lookups.find({ kind, credential: token, address: request.ip }, () => authentication[kind](token), toCallerKey)
    return
  }
  const isFirst = how.isTogether === undefined && how.tokenAt === undefined
  const findPerson = () => authentication.person(token, how)
  const known = await (isFirst
    ? lookups.find({ kind: 'person', credential: token, address: request.ip }, findPerson, toAccount)
    : findPerson())
  const within = <Result>(work: () => Promise<Result>) => lookups.within(toAccount(known), work)
  const { organizationId = '', customerid } = request.params as Record<string, string>
  if (typeof access === 'object' && 'organization' in access)
    request.organization = findOwn(known, organizationId) ?? (await within(() => authentication.organization(known, organizationId)))
  const named = request.headers[organizationHeader] as string | undefined
  const active = isOfPerson(access) ? findActiveOrganization(known, customerid, named) : request.organization?.id
  if (needsPasskey(known, active)) throw new Problem(401, 'This organization asks for a sign-in with a passkey.', { needsPasskey: true })
  const person = enterOrganization(known, active)
  request.caller = person
  const worked = person.organizations[0]
  if (worked?.id === active && worked?.isQuiet) await within(() => authentication.recordActivity(person))
  const isOfCustomers = isOfPerson(access) || 'organization' in access
  if (isOfCustomers && person.zones !== null && limitedRole === undefined)
    throw beyondZones(await within(() => authentication.findWhomToAsk(active!)))
  const missing = describeMissing(person, access)
  if (missing) throw new Problem(403, `This needs ${missing}.`)
}

// Decides again once the body is there: it may take hours, and a place at a gate long, and a decision counts no longer than an event
// stream's (SES-01, decision 0048). A token that expired since the call began is accepted.
async function authorizeAgain(endpoint: Endpoint, parts: Gated, request: FastifyRequest, { elapsedTime }: FastifyReply) {
  if (elapsedTime <= recheckMs) return
  await authorize(endpoint, parts, request, { tokenAt: new Date(Date.now() - elapsedTime) })
}

/** Whether the caller is the same, with the same permissions in the same places. A removed host PC learns of it by its own stream. */
function recheck(endpoint: Endpoint, parts: Gated, request: FastifyRequest): (() => Promise<boolean>) | undefined {
  if (endpoint.access === 'agent') return undefined
  const { caller, organization } = request
  return async () => {
    await authorize(endpoint, parts, request, { isTogether: true })
    return isDeepStrictEqual([request.caller, request.organization], [caller, organization])
  }
}

function validate(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (!schema) return {}
  const parsed = schema.safeParse(value ?? {})
  if (parsed.success) return parsed.data
  const errors = listIssues(parsed.error, value).map(({ path, message }) => ({ field: path.join('.'), message }))
  throw new Problem(
    400,
    errors.map(({ field, message }) => (field === '' || /^[A-Z]/.test(message) ? message : `${field} ${message}`)).join(' '),
    { errors },
  )
}

// Null for host PCs, licences and callers without an organization, who have no rights to lose.
const findRights = (caller: Caller): Rights | null => (caller && 'userId' in caller && caller.organizations.length > 0 ? caller : null)

const keyFormat = /^[\x21-\x7e]{1,200}$/

function parseIdempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key !== undefined && (Array.isArray(key) || !keyFormat.test(key)))
    throw new Problem(400, 'Idempotency-Key must have 1 to 200 printable characters.')
  return key as string | undefined
}

async function sendReply({ response, etag }: Endpoint, reply: FastifyReply, body: unknown) {
  reply.header('cache-control', 'no-store')
  if (!response) return reply.status(204).send()
  const checked = check(response, body)
  if (etag) reply.header('etag', await computeEtag(etag, checked))
  return reply.send(checked)
}

/** Removes undeclared fields. Throws an Error where the reply does not match the contract. */
function check(schema: z.ZodMiniType, body: unknown): unknown {
  const checked = schema.safeParse(body)
  if (!checked.success) throw new Error(`The reply does not match the contract: ${z.prettifyError(checked.error)}`)
  return checked.data
}

const isIterable = (body: unknown): body is AsyncIterable<unknown> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

/** Characters of JSON that are sent together. */
const pieceLength = 16_384

function sendItems(item: z.ZodMiniType, gates: Gates, reply: FastifyReply, items: AsyncIterable<unknown>) {
  async function* json() {
    let [piece, before] = ['[', '']
    for await (const one of items) {
      piece += before + JSON.stringify(check(item, one))
      before = ','
      if (piece.length < pieceLength) continue
      yield piece
      piece = ''
    }
    yield `${piece}]`
  }
  const stream = pipeline(Readable.from(json()), gates.giveWay(), () => undefined)
  return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(stream)
}

function sendDownload(endpoint: Endpoint, gates: Gates, reply: FastifyReply, { status = 200, headers, stream: source }: Streamed) {
  const stream = source && findGate(endpoint) === 'file' ? pipeline(source, gates.giveWay(), () => undefined) : source
  reply.status(status).headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers })
  return stream ? reply.type(String(headers['content-type'] ?? endpoint.download!.contentType)).send(stream) : reply.send()
}
