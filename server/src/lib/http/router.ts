import { Readable } from 'node:stream'
import { endpoints } from '@lectern/contract/endpoints.ts'
import type { Download, Endpoint } from '@lectern/contract/http/endpoint.ts'
import { computeEtag } from '@lectern/contract/http/etag.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Actor } from '../actor.ts'
import type { ReceivedFile } from '../content-store.ts'
import { type Database, retryable, sqlState } from '../database/database.ts'
import { type Authentication, type Caller, isStaff, lacking } from './caller.ts'
import { isIdempotentByKey, requestHash, runOnce } from './idempotency.ts'
import { ifMatch } from './if-match.ts'
import { notFound, Problem } from './problem.ts'
import { sendEvents } from './send-events.ts'
import type { Handlers, ServerSentEvent, Services, Streamed } from './serve.ts'
import './sentences.ts'
import { receiveUpload } from './upload.ts'

/** The same call without its exact types; the table `Handlers` has already held them against the contract. */
type AnyHandler = (call: Record<string, unknown>) => Promise<unknown>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

interface Parts {
  house: Services
  db: Database
  authentication: Authentication
  handlers: Handlers
}

/** Serves every endpoint of the contract: authorize, validate, run (writes in a transaction, idempotent by key, not over others’), check the reply. */
export function serveContract(app: FastifyInstance, parts: Parts): void {
  app.decorateRequest('caller', null)
  for (const [name, endpoint] of Object.entries(endpoints) as [keyof Handlers, Endpoint][]) {
    const limit = createLimiter(app, endpoint)
    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      // Events must not wait in a compressor, and a range is one of the bytes themselves.
      ...(endpoint.events || endpoint.download?.contentType === 'application/octet-stream' ? { compress: false } : {}),
      ...(endpoint.maxBodyBytes === undefined ? {} : { bodyLimit: endpoint.maxBodyBytes }),
      ...(endpoint.inPieces ? { config: { rateLimit: { max: 10 * parts.house.settings.rateLimit } } } : {}),
      // Before the body is read: nobody makes the server take in what they may not send.
      preParsing: async (request, _reply, payload) => {
        request.caller = await authorize(endpoint, parts.authentication, request)
        await limit?.(request)
        return payload
      },
      handler: (request, reply) => serve(endpoint, parts.handlers[name] as unknown as AnyHandler, parts, request, reply),
    })
  }
}

/** Refuses a caller who makes more calls of an endpoint than it declares. Each server counts by itself, as it counts all calls. */
function createLimiter(app: FastifyInstance, { callsAMinute }: Endpoint) {
  if (callsAMinute === undefined) return undefined
  const keyGenerator = ({ caller }: FastifyRequest) => callerKey(caller)
  const counted = app.createRateLimit({ max: callsAMinute, timeWindow: '1 minute', keyGenerator })
  return async (request: FastifyRequest): Promise<void> => {
    const count = await counted(request)
    if (!count.isAllowed && count.isExceeded)
      throw new Problem(429, 'Too many requests. Wait a moment and try again.', { retryAfter: count.ttlInSeconds })
  }
}

async function serve(endpoint: Endpoint, handler: AnyHandler, parts: Parts, request: FastifyRequest, reply: FastifyReply) {
  const raw = request.params as Record<string, string>
  const { caller } = request
  const params = { ...raw, ...(validate(endpoint.params, raw) as object) }
  const query = validate(endpoint.query, request.query)
  const closed = new AbortController()
  if (request.raw.destroyed && !request.raw.complete) closed.abort()
  reply.raw.once('close', () => closed.abort())
  const call = {
    ...parts.house,
    params,
    query,
    caller,
    headers: request.headers,
    origin: { address: request.ip, requestId: request.id },
    actor: { caller, address: request.ip, requestId: request.id } satisfies Actor,
    signal: closed.signal,
  }

  let file: ReceivedFile | undefined
  try {
    let content: unknown
    if (endpoint.upload) {
      const upload = await receiveUpload(request, endpoint.upload.maxBytes, parts.house.contents)
      file = upload.file
      const fields = validate(endpoint.upload.fields, upload.fields)
      Object.assign(call, { file, fields })
      content = [fields, file.name, file.hash]
    } else if (endpoint.body) {
      content = validate(endpoint.body, request.body)
      Object.assign(call, { body: content })
    }

    if (endpoint.events)
      return sendEvents(reply, (await handler({ ...call, db: parts.db })) as AsyncIterable<ServerSentEvent>, closed.signal)
    if (endpoint.download) return send(endpoint.download, reply, (await handler({ ...call, db: parts.db })) as Streamed)
    if (endpoint.method === 'GET') {
      const answer = await handler({ ...call, db: parts.db })
      return endpoint.whole && isIterable(answer) ? sendWhole(endpoint.whole, reply, answer) : finish(endpoint, reply, answer)
    }

    const key = isIdempotentByKey(endpoint) ? idempotencyKey(request) : undefined
    const result = await inTransaction(parts.db, (db) => {
      const match = endpoint.etag && ifMatch(endpoint.etag, request.headers['if-match'])
      const write = async () => {
        const answer = await handler({ ...call, db, ...(match && { unchanged: match.unchanged }) })
        match?.confirm()
        return { status: endpoint.response ? 200 : 204, reply: answer }
      }
      const hash = () => requestHash(endpoint.method, request.url, content)
      return key === undefined ? write() : runOnce(db, { caller: callerKey(caller), key, hash: hash() }, write)
    })
    return finish(endpoint, reply, result.reply)
  } finally {
    await file?.discard()
  }
}

/** Answers 401 to nobody, 404 for organizations the caller does not see, 403 where a permission is missing (decisions.md). */
async function authorize({ access }: Endpoint, authentication: Authentication, request: FastifyRequest): Promise<Caller> {
  if (access === 'public') return null
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!token) throw new Problem(401, 'Sign in first.')
  if (access === 'agent') return authentication.host(token)
  if (access === 'licence') return authentication.licence(token)
  const person = await authentication.person(token)
  if (access === 'self') return person
  if ('organization' in access) {
    const { organizationId = '' } = request.params as Record<string, string>
    const isMember = person.organizations.includes(organizationId)
    if (!isMember && !(isStaff(person) && (await authentication.organizationExists(organizationId)))) throw notFound()
  }
  const missing = lacking(person, 'organization' in access ? access.organization : access.provider)
  if (missing) throw new Problem(403, `This needs the permission ${missing}.`)
  return person
}

function validate(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (!schema) return {}
  const parsed = schema.safeParse(value ?? {})
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message }))
  throw new Problem(
    400,
    errors.map(({ field, message }) => (field === '' || /^[A-Z]/.test(message) ? message : `${field} ${message}`)).join(' '),
    { errors },
  )
}

const keyFormat = /^[\x21-\x7e]{1,200}$/

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key !== undefined && (Array.isArray(key) || !keyFormat.test(key)))
    throw new Problem(400, 'Idempotency-Key must have 1 to 200 printable characters.')
  return key as string | undefined
}

const callerKey = (caller: Caller): string =>
  caller === null
    ? ''
    : 'userId' in caller
      ? `user ${caller.userId}`
      : 'hostId' in caller
        ? `host ${caller.hostId}`
        : `licence ${caller.licenceId}`

const attempts = 4

/** Runs `work` in a transaction, again after a serialization failure or a deadlock. */
async function inTransaction<T>(db: Database, work: (transaction: Database) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === attempts || !retryable.has(sqlState(error) ?? '')) throw error
    }
  }
}

async function finish({ response, etag }: Endpoint, reply: FastifyReply, answer: unknown) {
  reply.header('cache-control', 'no-store')
  if (!response) return reply.status(204).send()
  const checked = check(response, answer)
  if (etag) reply.header('etag', await computeEtag(etag, checked))
  return reply.send(checked)
}

/** Checks an answer against the contract: what is not declared is stripped, what does not fit is our own mistake. */
function check(schema: z.ZodMiniType, answer: unknown): unknown {
  const checked = schema.safeParse(answer)
  if (!checked.success) throw new Error(`The answer does not fit the contract: ${z.prettifyError(checked.error)}`)
  return checked.data
}

const isIterable = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer

/** A list without its end in sight: its items go out one by one. */
function sendWhole(item: z.ZodMiniType, reply: FastifyReply, items: AsyncIterable<unknown>) {
  async function* json() {
    let before = '['
    for await (const one of items) {
      yield before + JSON.stringify(check(item, one))
      before = ','
    }
    yield before === '[' ? '[]' : ']'
  }
  return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(Readable.from(json()))
}

function send({ contentType }: Download, reply: FastifyReply, { status = 200, headers, stream }: Streamed) {
  reply.status(status).headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers })
  return stream ? reply.type(String(headers['content-type'] ?? contentType)).send(stream) : reply.send()
}
