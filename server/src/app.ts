import { join } from 'node:path'
import { createIdentityProvider } from '@lectern/idp/provider.ts'
import type { FastifyInstance } from 'fastify'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import { serveApiDocument } from './api/serve-document.ts'
import { sweepAuditCounts } from './audit/audit.ts'
import { loadCatalogue } from './barcode/catalogue.ts'
import { sweepContents } from './contents/contents.ts'
import { type CrossingWork, crossingEndpoints } from './crossings.ts'
import { sweepStanding } from './devices/devices.ts'
import { sendEcho } from './events/events.ts'
import { sweepGraphs } from './graphs/graphs.ts'
import { handlers } from './handlers.ts'
import { createHostStreams } from './hosts/streams.ts'
import { serveBackChannelLogout } from './identity/back-channel-logout.ts'
import { createAuthentication, saveMessage } from './identity/identity.ts'
import { createPasskeyRules } from './identity/passkey-rules.ts'
import { createProviderStorage, sweepProvider } from './identity/provider-storage.ts'
import { createSecurityEvents } from './identity/security-events.ts'
import { createIssuer } from './identity/tokens.ts'
import { type ContentStore, openContentStore } from './lib/content-store.ts'
import { createDatabase, createPool, type Database } from './lib/database/database.ts'
import { createOutageLog, describeOutage, type OutageLog } from './lib/database/outage.ts'
import { sweepExpired } from './lib/database/sweep.ts'
import { createDrawings } from './lib/drawings.ts'
import { openEventHub } from './lib/event-hub.ts'
import { connections, type RefusedReports } from './lib/http/gate.ts'
import { createHttp } from './lib/http/http.ts'
import { createJsonScanner } from './lib/http/json-limits.ts'
import { lookupConnections } from './lib/http/lookups.ts'
import { serveContract } from './lib/http/router.ts'
import type { Mail, Services } from './lib/http/serve.ts'
import { type Monitoring, noMonitoring } from './lib/monitoring.ts'
import { repeatEvery } from './lib/repeat.ts'
import { createSalesforce } from './lib/salesforce.ts'
import type { DatabaseUrls, Settings } from './lib/settings.ts'
import { createStop, watchConnections } from './lib/stop.ts'
import { createWorkbooks } from './lib/workbook/workbooks.ts'
import { serveLeaflets } from './products/leaflets.ts'
import { createScriptChecks } from './publications/scripts.ts'
import { checkStorage, checkUpload, sweepStorage } from './quotas/storage.ts'
import { sweepPhases } from './rollouts/gates.ts'
import { sweepRollouts } from './rollouts/rollouts.ts'
import { createWriteProbe } from './system/writable.ts'
import { serveWebApp } from './web-app.ts'

/** The most JSON values that a page of the identity provider sends in one body, such as a passkey. */
const mostValuesOfForm = 1_000
const sweepEveryMs = 60_000
const beatEveryMs = 10_000
const [mostIdentity, mostLists, mostExports, mostVendorExports] = [6, 5, 10, 2]

/**
 * The server before it listens. `close` waits for the proxy (STOP_DELAY), then for responses in progress. A second call skips the wait for
 * the proxy.
 */
export interface App {
  http: FastifyInstance
  /** Sees the rows of all organizations. */
  db: Database
  /** Sees the identity provider's tables alone. */
  identity: Database
  contents: ContentStore
  /** Runs every minute. */
  sweep(): Promise<unknown>
  /** Runs every 10 s. */
  beat(): Promise<unknown>
  close(): Promise<void>
}

type Urls = Pick<DatabaseUrls, 'server' | 'crossing' | 'identity'>

// Where a pooler is in front of the database, LISTEN_URL leads around it. Connections through it then keep no settings.
function openDatabases(urls: Urls, { listenUrl, preparedStatements: prepares }: Settings) {
  const own = createDatabase(createPool(urls.server, { max: connections.own, prepares }))
  const crossing = createDatabase(createPool(urls.crossing, { max: connections.crossing, prepares }))
  // A pool of its own: every call starts with authentication, which must not wait for the vendor's searches or for sweeps.
  const authentication = createDatabase(createPool(urls.crossing, { max: lookupConnections, prepares }))
  // A login of its own: no other reads the identity provider's tables.
  const identity = createDatabase(createPool(urls.identity, { max: mostIdentity, prepares }))
  const lists =
    prepares && listenUrl === null ? createDatabase(createPool(urls.server, { max: mostLists, prepares, walksIndexes: true })) : null
  const exportPool = createPool(urls.server, { max: mostExports, copies: true })
  const crossingExportPool = createPool(urls.crossing, { max: mostVendorExports, copies: true })
  return {
    databases: { own, crossing, exportPool, crossingExportPool },
    lists,
    identity,
    across: (work: CrossingWork): Database => (work === 'authentication' ? authentication : crossing),
    closeDatabases: () =>
      Promise.all([
        own.destroy(),
        crossing.destroy(),
        authentication.destroy(),
        identity.destroy(),
        lists?.destroy(),
        exportPool.end(),
        crossingExportPool.end(),
      ]),
  }
}

async function openIssuer(settings: Settings, log: Logger): Promise<ReturnType<typeof createIssuer>> {
  const issuer = createIssuer(settings.auth, settings.embeddedProvider)
  const silence = settings.embeddedProvider ? undefined : await issuer.check()
  if (silence !== undefined) log.warn({ err: silence }, 'The identity provider does not respond')
  return issuer
}

export async function createApp(settings: Settings, urls: Urls, log: Logger, monitoring = noMonitoring): Promise<App> {
  const issuer = await openIssuer(settings, log)
  const { databases, lists, identity, across, closeDatabases } = openDatabases(urls, settings)
  const { own: db } = databases
  const catalogue = await loadCatalogue(settings.catalogueFile)
  const logOutage = createOutageLog(log)
  const { stopping, stop } = createStop(settings.stopDelay)
  const http = await createHttp(settings, { log, monitoring, logOutage, stopping })
  const finish = watchConnections(http.server)
  const contents = await openContentStore(join(settings.dataDir, 'contents'))
  const salesforce = settings.salesforce && createSalesforce(settings.salesforce)
  const refusedReports: RefusedReports = new Map()
  const hostStreams = createHostStreams(across('sweep'), refusedReports)
  const isWritable = createWriteProbe(db)
  const scriptChecks = createScriptChecks((error) => log.warn({ err: error }, 'A thread that checks scripts ended'))
  const drawings = createDrawings(new URL('./drawing-thread.ts', import.meta.url), { catalogueFile: settings.catalogueFile }, (error) =>
    log.warn({ err: error }, 'The thread that draws ended'),
  )
  const workbooks = createWorkbooks((error) => log.warn({ err: error }, 'The thread that writes workbooks ended'))
  const events = openEventHub({
    listenUrl: settings.listenUrl ?? urls.server,
    notify: (payload) => sendEcho(db, payload),
    logOutage,
    logDeafness: (message) => log.warn(message),
  })
  if (settings.embeddedProvider)
    await mountProvider(
      http,
      settings,
      { identity, events: across('securityEvents'), people: across('recoveries') },
      { log, monitoring, logOutage },
    )
  const authentication = createAuthentication({ db: across('authentication'), identity }, issuer, settings, log)
  if (!settings.embeddedProvider) await serveBackChannelLogout(http, across('securityEvents'), issuer)
  const sendMail = createSendMail(settings, identity, log)
  serveContract(http, {
    services: {
      lists,
      settings,
      contents,
      events,
      isWritable,
      stopping,
      catalogue,
      drawings,
      scriptChecks,
      workbooks,
      salesforce,
      hostStreams,
      sendMail,
      recoveries: identity,
    },
    databases,
    crossingEndpoints,
    authentication,
    handlers,
    quotas: {
      check: (transaction, stored) => checkStorage(transaction, { ...stored, quotas: settings.quotas }),
      checkUpload: (own, organizationId, bytes) => checkUpload(own, organizationId, bytes, settings.quotas),
    },
    refusedReports,
  })
  serveApiDocument(http, settings.publicUrl)
  serveLeaflets(http, drawings, settings.providerName)
  await serveWebApp(http, settings)

  const logFailure = (error: unknown) => (describeOutage(error) ? logOutage(error) : log.warn({ err: error }, 'The sweep failed'))
  const sweep = () => sweepAll(across('sweep'), identity, contents).catch(logFailure)
  const beat = () => hostStreams.beat().catch(logFailure)
  // Uploads that a killed server had received in part.
  await contents.removeAbandoned()
  await beat()
  const timers = [repeatEvery(sweepEveryMs, sweep), repeatEvery(beatEveryMs, beat)]
  const close = async () => {
    for (const timer of timers) clearInterval(timer)
    await events.close()
    await finish(() => http.close())
    await hostStreams.stop().catch(logFailure)
    await Promise.all([closeDatabases(), scriptChecks.close(), drawings.close(), workbooks.close()])
  }
  return {
    http,
    db: across('commands'),
    identity,
    contents,
    sweep,
    beat,
    close: () => stop(close),
  }
}

const sweepAll = (db: Database, identity: Database, contents: ContentStore): Promise<unknown> =>
  Promise.all([
    sweepStanding(db),
    sweepRollouts(db),
    sweepPhases(db),
    sweepAuditCounts(db),
    sweepProvider(identity),
    sweepExpired(db).then(() => sweepContents(db, contents)),
    sweepGraphs(db),
    sweepStorage(db),
  ])

interface ProviderReports {
  log: Logger
  monitoring: Monitoring
  logOutage: OutageLog
}

async function mountProvider(
  http: FastifyInstance,
  settings: Settings,
  { identity, events, people }: { identity: Database; events: Database; people: Database },
  reports: ProviderReports,
): Promise<void> {
  const { log, monitoring, logOutage } = reports
  const { publicUrl, auth, defaultPermissions, providerName, smtpUrl, trustProxy } = settings
  const provider = await createIdentityProvider({
    publicUrl,
    storage: createProviderStorage(identity, logOutage),
    clientId: auth.clientId,
    audience: auth.audience,
    redirectUris: [publicUrl, `${publicUrl}/`],
    logoutUris: [publicUrl, `${publicUrl}/`],
    defaultPermissions,
    brand: { product: 'Lectern', provider: providerName },
    trustProxy,
    lifetimes: { grant: settings.signInDays * 24 * 60 * 60 },
    scanJson: () => {
      const scan = createJsonScanner(mostValuesOfForm)
      return (chunk) => scan(chunk) === null
    },
    passkeyRules: createPasskeyRules(people, identity, auth.issuer),
    onSecurityEvent: createSecurityEvents(events, auth.issuer, log),
    log: (error) => {
      log.error({ err: error }, 'The identity provider failed')
      monitoring.report(error)
    },
    ...(smtpUrl ? { mail: createMail(smtpUrl, publicUrl) } : {}),
  })
  const limitCalls = http.rateLimit()
  http.addHook('onRequest', async (request, reply) => {
    if (!provider.paths(request.url)) return
    await limitCalls.call(http, request, reply)
    reply.hijack()
    // Its security events name the request.
    request.raw.headers['x-request-id'] = request.id
    provider.handler(request.raw, reply.raw)
  })
}

function createSendMail({ smtpUrl, publicUrl }: Settings, identity: Database, log: Logger): Services['sendMail'] {
  const mail = smtpUrl ? createMail(smtpUrl, publicUrl) : undefined
  return async (message, expiresIn) => {
    const isTaken = await mail?.(message).then(
      () => true,
      (error: unknown) => {
        log.error({ err: error }, 'The mail server did not take a message')
        return false
      },
    )
    if (isTaken) return true
    await saveMessage(identity, message, expiresIn)
    return mail === undefined
  }
}

function createMail(smtpUrl: string, publicUrl: string): (message: Mail) => Promise<void> {
  const transport = createTransport(smtpUrl)
  const from = `Lectern <no-reply@${new URL(publicUrl).hostname}>`
  return async (message) => {
    await transport.sendMail({ from, ...message })
  }
}
