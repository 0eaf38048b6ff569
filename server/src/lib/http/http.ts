import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import { defaultBodyBytes } from '@lectern/contract/http/endpoint.ts'
import { passkeyAcr, stepUpError } from '@lectern/contract/http/step-up.ts'
import { formatFileSize } from '@lectern/contract/text/file-size.ts'
import Fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { queryCanceled, sqlState } from '../database/database.ts'
import { describeOutage, type Outage, type OutageLog } from '../database/outage.ts'
import type { Monitoring } from '../monitoring.ts'
import type { Settings } from '../settings.ts'
import { toCallerKey } from './caller.ts'
import { createDrainingResponses } from './draining-responses.ts'
import { limitJson } from './json-limits.ts'
import { paceRefusals } from './paced-refusals.ts'
import { encodePercentSigns, isPage } from './page-address.ts'
import { oneAtATime } from './pipelining.ts'
import { Problem } from './problem.ts'
import { createSlowRequests } from './slow-requests.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The most values and keys in a JSON body. */
    mostValues?: number
  }
}

/** Longer than a load balancer keeps an idle connection. */
const keptAliveMs = 72_000

/** The most values in a JSON body where no endpoint takes one. */
const mostValuesElsewhere = 100

const requestIdHeader = 'x-request-id'

interface HttpOptions {
  log: Logger
  monitoring: Monitoring
  logOutage: OutageLog
  stopping: AbortSignal
}

export async function createHttp(settings: Settings, { log, ...reports }: HttpOptions): Promise<FastifyInstance> {
  const sendError = createErrorHandler(reports)
  const responses = createDrainingResponses(reports.stopping)
  const app = Fastify({
    serverFactory: (handle) =>
      createServer(
        {
          ServerResponse: responses.ServerResponse,
          headersTimeout: settings.requestTimeout * 1_000,
          connectionsCheckingInterval: Math.min(5_000, settings.requestTimeout * 250),
          keepAliveTimeout: keptAliveMs,
          // No bound here: `createSlowRequests` cuts slow bodies off.
          requestTimeout: 0,
        },
        oneAtATime(handle),
      ),
    loggerInstance: log as FastifyBaseLogger,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // A function, as Fastify would take the number 0 for "no proxy setting".
    trustProxy: (_address, hop) => hop < settings.trustProxy,
    bodyLimit: defaultBodyBytes,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Longer than a request line can be, so that a parameter's schema refuses it, not the router.
    routerOptions: { maxParamLength: 65_536 },
    frameworkErrors: (error, request, reply) =>
      error.code === 'FST_ERR_BAD_URL' && isPage(request)
        ? reply.redirect(encodePercentSigns(request.url))
        : sendError(error, request, reply),
    clientErrorHandler: refuseMalformed,
  })
  app.addHook('preClose', async () => responses.stop())
  const slow = createSlowRequests(settings.requestTimeout * 1_000, ({ socket }) =>
    refuseMalformed({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket),
  )
  app.addHook('onRequest', async (request, reply) => {
    reply.header(requestIdHeader, request.id)
    // RFC 9112 §3.2: it is not known which of the hosts a proxy used.
    if (countHosts(request.raw) > 1) throw new Problem(400, 'The request names more than one host.')
    slow.watch(request.raw, reply.raw)
  })
  app.addHook('preParsing', async (request, _reply, body) =>
    request.mediaType === 'application/json' ? limitJson(body, request.routeOptions.config.mostValues ?? mostValuesElsewhere) : body,
  )
  paceRefusals(app)
  await app.register(rateLimit, {
    max: settings.rateLimit,
    timeWindow: '1 minute',
    allowList: isProbe,
    errorResponseBuilder: () => new Problem(429, 'Too many requests. Wait a moment and try again.'),
  })
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy(settings) },
    crossOriginEmbedderPolicy: false,
    // The sign-in pop-up of a provider at another origin responds to its opener.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    strictTransportSecurity: settings.publicUrl.startsWith('https:'),
  })
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', permissionsPolicy)
  })
  // No compressed bodies are taken: they would be unpacked before the caller is known. Small responses, such as a page of a list, take the
  // server longer to pack than the line to send.
  await app.register(compress, { global: true, threshold: 8_192, requestEncodings: ['identity'] })
  await app.register(multipart)
  app.setErrorHandler(sendError)
  return app
}

// Features of browsers that the portal does not use.
const permissionsPolicy = ['camera', 'microphone', 'geolocation', 'usb', 'serial', 'hid', 'payment', 'midi', 'display-capture']
  .map((feature) => `${feature}=()`)
  .join(', ')

const malformed: Record<string, [status: number, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The address and the headers of the request are too long together.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
}

// The request could not be parsed, and no other can follow on the connection.
function refuseMalformed(error: Pick<NodeJS.ErrnoException, 'code'>, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = new Problem(...(malformed[error.code ?? ''] ?? [400, 'This is not an HTTP request.']))
  const id = randomUUID()
  const body = JSON.stringify(problem.body(id))
  const headers = [
    `${requestIdHeader}: ${id}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${headers.join('\r\n')}\r\n\r\n${body}`)
  // A client that goes on sending must not keep the connection open.
  setTimeout(() => socket.destroy(), 1_000).unref()
}

const countHosts = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length

const isProbe = ({ url }: FastifyRequest): boolean => url === '/livez' || url === '/readyz'

function createErrorHandler({ monitoring, logOutage, stopping }: Omit<HttpOptions, 'log'>) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const outage = describeOutage(error)
    const problem = outage ? toOutageProblem(outage, error) : toProblem(error, request)
    const cause = problem.cause ?? error
    const report = () => {
      if (!isProbe(request))
        monitoring.report(cause, { requestId: request.id, route: request.routeOptions.url, caller: request.caller ?? undefined })
    }
    if (outage) {
      if (logOutage(error)) report()
    } else if (problem.status >= 500 && !problem.isQuota && !(stopping.aborted && isProbe(request))) {
      request.log.error({ err: cause }, problem.message)
      report()
    } else if (problem.isQuota) request.log.warn({ caller: toCallerKey(request.caller) }, problem.message)
    else request.log.info({ err: problem.cause, caller: toCallerKey(request.caller ?? null) || undefined }, problem.message)
    if (reply.raw.headersSent) return reply.raw.destroy()
    if (problem.needsPasskey) reply.header('www-authenticate', `Bearer error="${stepUpError}", acr_values="${passkeyAcr}"`)
    if (problem.retryAfter !== undefined) reply.header('retry-after', problem.retryAfter)
    return reply
      .status(problem.status)
      .header(requestIdHeader, request.id)
      .type('application/problem+json')
      .send(JSON.stringify(problem.body(request.id)))
  }
}

const toOutageProblem = ({ status, sentence, retryAfter }: Outage, cause: unknown): Problem =>
  new Problem(status, sentence, { cause, retryAfter })

function toProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  if (sqlState(error) === queryCanceled)
    return new Problem(503, 'This takes too long. Look for less at once, or try again later.', {
      cause: error,
      retryAfter: 10,
      isQuota: true,
    })
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem(413, `The body is larger than ${formatFileSize(request.routeOptions.bodyLimit ?? defaultBodyBytes)}.`, {
      cause: error,
    })
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) return new Problem(status, error.message, { cause: error })
  return new Problem(500, 'Something went wrong on our side. The problem was recorded.', { cause: error })
}

function contentSecurityPolicy({ auth, sentryDsn }: Settings) {
  const issuer = new URL(auth.issuer).origin
  const monitoring = sentryDsn === null ? [] : [new URL(sentryDsn).origin]
  return {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'https:', 'data:', 'blob:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'", issuer, ...monitoring],
    frameSrc: ["'self'", issuer],
    frameAncestors: ["'self'"],
    formAction: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
  }
}
