import { parseFeatureFlags } from '@lectern/contract/feature-flags.ts'
import { defaultMinBattery, hostReaderLimit } from '@lectern/contract/hosts.ts'
import { Permission } from '@lectern/contract/http/permissions.ts'
import * as z from 'zod/mini'
import { type Brand, defaultBrands, parseBrands } from './brands.ts'
import './http/sentences.ts'

const Switch = z.stringbool({ truthy: ['on', 'true', '1', 'yes'], falsy: ['off', 'false', '0', 'no'] })
const HttpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
const isOrigin = (address: string) => URL.canParse(address) && `${new URL(address).origin}/` === new URL(address).href
const isSecureOrigin = (address: string) => isOrigin(address) && (/^https:/.test(address) || isLoopback(new URL(address).hostname))
const isHost = (domain: string) => isOrigin(/^https?:\/\//.test(domain) ? domain : `https://${domain}`)
const isDsn = (text: string) => /^https?:\/\/\w+@[\w.:[\]-]+(\/.+)?\/\d+$/.test(text) && URL.canParse(text)
const Count = (value: number) => z._default(z.coerce.number().check(z.int(), z.minimum(1)), value)
const text = (value: string) => z._default(z.string(), value)

const PostgresUrl = z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address')))

const Environment = z.object({
  PORT: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65535)), 3000),
  HOST: z.optional(z.string()),
  PUBLIC_URL: z.optional(HttpUrl.check(z.refine(isOrigin, 'must be an origin, such as https://portal.example, without a path'))),
  DATA_DIR: text('.lectern'),
  DATABASE_URL: PostgresUrl,
  CROSSING_DATABASE_URL: PostgresUrl,
  IDENTITY_DATABASE_URL: PostgresUrl,
  MIGRATION_DATABASE_URL: PostgresUrl,
  LISTEN_URL: PostgresUrl,
  PREPARED_STATEMENTS: z.optional(Switch),
  EMBEDDED_DATABASE: z.optional(
    z
      .enum(['socket', 'loopback'])
      .check(z.refine((way) => way === 'loopback' || process.platform !== 'win32', 'must be loopback on Windows')),
  ),
  AUTH_DOMAIN: z.optional(z.string().check(z.refine(isHost, 'must be the identity provider’s host, such as login.example'))),
  AUTH_CLIENT_ID: text('lectern-web'),
  AUTH_AUDIENCE: text('urn:lectern:api'),
  HTTP_ALLOWED: text(''),
  EMBEDDED_IDP: z.optional(Switch),
  SIGN_IN_DAYS: Count(30),
  DEFAULT_PERMISSIONS: z.optional(z.string()),
  ORGANIZATION_PERMISSIONS: z._default(z.enum(['role', 'token'], 'must be role or token'), 'role'),
  SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// address' })),
  SENTRY_DSN: z.optional(z.string().check(z.refine(isDsn, 'must be a DSN without a secret, such as https://key@errors.example/1'))),
  LOCAL_TOKEN: z._default(Switch, true),
  PROVIDER_NAME: text('Quiet Zone Devices'),
  FEATURE_FLAGS: z.optional(z.string()),
  CATALOGUE_FILE: z.optional(z.string()),
  AGENT_FILES: z.optional(z.string()),
  BRANDS: z.optional(z.string()),
  ACCOUNT_URL: z._default(HttpUrl, 'https://account.quietzone.example/'),
  SUPPORT_PHONE: text('+1 800 555 0142'),
  SALESFORCE_URL: z.optional(
    z.string().check(z.refine(isSecureOrigin, 'must be the organization’s own domain, such as https://acme.my.salesforce.com')),
  ),
  SALESFORCE_CLIENT_ID: z.optional(z.string()),
  SALESFORCE_CLIENT_SECRET: z.optional(z.string()),
  SALESFORCE_TIMEOUT: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(60)), 8),
  MIN_BATTERY: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100)), defaultMinBattery),
  LARGE_PUBLISH_ZONES: Count(10),
  LARGE_PUBLISH_READERS: Count(500),
  DEMO: z.optional(Switch),
  TRUST_PROXY: z._default(
    z.coerce.number('must be how many proxies stand in front, such as 1').check(z.int(), z.minimum(0), z.maximum(10)),
    0,
  ),
  RATE_LIMIT: Count(6_000),
  BODIES_AT_ONCE: Count(8),
  REQUEST_TIMEOUT: Count(30),
  READ_TIMEOUT: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(3_600)), 10),
  EXPORT_WAIT: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(3_600)), 20),
  STOP_DELAY: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(600))),
  READERS_PER_HOST: Count(2 * hostReaderLimit),
  NEW_READERS_PER_HOUR: Count(hostReaderLimit),
  OUTCOMES_PER_MINUTE: Count(3_000),
  HOSTS_PER_ORGANIZATION: Count(10_000),
  ZONES_PER_ORGANIZATION: Count(10_000),
  STREAMS_PER_ACCOUNT: Count(50),
  STORED_BYTES_PER_ACCOUNT: Count(50 * 1024 ** 2),
  STORED_BYTES_PER_ORGANIZATION: Count(2 * 1024 ** 3),
  STORED_BYTES_WITH_FIRMWARE: Count(10 * 1024 ** 3),
  LIBRARY_ENTRIES_PER_ORGANIZATION: Count(10_000),
  CONFIGS_PER_ORGANIZATION: Count(10_000),
  REGISTERED_READERS_PER_ORGANIZATION: Count(1_000_000),
  DESK_RECORDS_PER_ORGANIZATION: Count(1_000_000),
  GROUPS_PER_ORGANIZATION: Count(1_000),
  CASES_PER_ACCOUNT: Count(1_000),
  LOG_LEVEL: z.optional(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])),
  NODE_ENV: z.optional(z.string()),
})

// The most that may exist, be sent (LMT-05) or be stored (FAI-05). Readers and outcomes: per host PC. `storedBytesPerAccount`: for an
// account that may publish nothing. `storedBytesPerOrganization`: without firmware files.
export interface Quotas {
  readersPerHost: number
  newReadersPerHour: number
  outcomesPerMinute: number
  hostsPerOrganization: number
  zonesPerOrganization: number
  streamsPerAccount: number
  storedBytesPerAccount: number
  storedBytesPerOrganization: number
  storedBytesWithFirmware: number
  libraryEntriesPerOrganization: number
  configsPerOrganization: number
  registeredReadersPerOrganization: number
  deskRecordsPerOrganization: number
  groupsPerOrganization: number
  casesPerAccount: number
}

/** Connection strings of one database, each with a role of its own (decision 51). `owner`: null where this server does not migrate. */
export interface DatabaseUrls {
  server: string
  crossing: string
  identity: string
  owner: string | null
}

export interface SalesforceAccess {
  url: string
  clientId: string
  clientSecret: string
  timeoutMs: number
}

/**
 * `listenUrl` null: that of the database. `databaseUrls` null: the embedded cluster, reached as `embeddedDatabase` says, null: by a socket file, on Windows on loopback.
 * `auth.domain`: a host with an optional port, or an origin. `salesforce` null: cases lie in the database. `minBattery`: per cent.
 * `largePublish`: above one of these a publish without phases is asked about.
 * `organizationPermissions`: what says what a member may do (decision 45). `rateLimit`: calls a minute and address. `bodiesAtOnce`: calls of one caller with a body that are under way.
 * `requestTimeout`: seconds for the headers of a request, and after which its body must not trickle. `trustProxy`: how many proxies stand in front.
 * `readTimeout`: seconds that all statements of a request may take with which people read. `exportWait`: seconds
 * for which an export waits for another one of its account. `stopDelay`: seconds in which a server that stops is only not ready.
 */
export interface Settings {
  port: number
  host: string
  publicUrl: string
  dataDir: string
  databaseUrls: DatabaseUrls | null
  listenUrl: string | null
  preparedStatements: boolean
  embeddedDatabase: 'socket' | 'loopback' | null
  auth: { domain: string; clientId: string; audience: string; issuer: string }
  embeddedProvider: boolean
  signInDays: number
  defaultPermissions: Permission[]
  organizationPermissions: 'role' | 'token'
  smtpUrl: string | null
  sentryDsn: string | null
  localToken: boolean
  providerName: string
  featureFlags: string
  catalogueFile: string | null
  agentFiles: string | null
  brands: readonly [Brand, Brand]
  accountUrl: string
  supportPhone: string
  salesforce: SalesforceAccess | null
  minBattery: number
  largePublish: { zones: number; readers: number }
  demo: boolean
  trustProxy: number
  rateLimit: number
  bodiesAtOnce: number
  requestTimeout: number
  readTimeout: number
  exportWait: number
  stopDelay: number
  quotas: Quotas
  logLevel: string
  production: boolean
}

export const isLoopback = (hostname: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/**
 * Empty values count as unset. Throws an Error with a line for each wrong setting.
 */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  const env = parsed.data
  const production = env.NODE_ENV === 'production'
  const publicUrl = (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, '')
  const { hostname } = new URL(publicUrl)
  const embeddedProvider = env.EMBEDDED_IDP ?? (env.AUTH_DOMAIN === undefined && isLoopback(hostname) && !production)
  const demo = env.DEMO ?? false
  refuseContradictions(env, { production, embeddedProvider, demo })
  const featureFlags = env.FEATURE_FLAGS ?? (demo ? 'showConfigurationLibrary' : '')
  refuseUnknownFlags(featureFlags)
  return {
    port: env.PORT,
    host: env.HOST ?? (production ? '0.0.0.0' : 'localhost'),
    publicUrl,
    dataDir: env.DATA_DIR,
    databaseUrls: parseDatabaseUrls(env),
    // Some poolers do not support prepared statements.
    listenUrl: env.LISTEN_URL ?? null,
    preparedStatements: env.PREPARED_STATEMENTS ?? env.LISTEN_URL === undefined,
    embeddedDatabase: env.EMBEDDED_DATABASE ?? null,
    auth: {
      domain: env.AUTH_DOMAIN ?? publicUrl,
      clientId: env.AUTH_CLIENT_ID,
      audience: env.AUTH_AUDIENCE,
      issuer: toIssuer(env.AUTH_DOMAIN ?? publicUrl),
    },
    embeddedProvider,
    signInDays: env.SIGN_IN_DAYS,
    defaultPermissions: parsePermissions(env.DEFAULT_PERMISSIONS ?? ''),
    organizationPermissions: env.ORGANIZATION_PERMISSIONS,
    smtpUrl: env.SMTP_URL ?? null,
    sentryDsn: env.SENTRY_DSN ?? null,
    localToken: env.LOCAL_TOKEN,
    providerName: env.PROVIDER_NAME,
    featureFlags,
    catalogueFile: env.CATALOGUE_FILE ?? null,
    agentFiles: env.AGENT_FILES ?? null,
    brands: env.BRANDS === undefined ? defaultBrands(env.PROVIDER_NAME) : parseBrands(env.BRANDS),
    accountUrl: env.ACCOUNT_URL,
    supportPhone: env.SUPPORT_PHONE,
    salesforce: parseSalesforce(env),
    minBattery: env.MIN_BATTERY,
    largePublish: { zones: env.LARGE_PUBLISH_ZONES, readers: env.LARGE_PUBLISH_READERS },
    demo,
    trustProxy: env.TRUST_PROXY,
    rateLimit: env.RATE_LIMIT,
    bodiesAtOnce: env.BODIES_AT_ONCE,
    requestTimeout: env.REQUEST_TIMEOUT,
    readTimeout: env.READ_TIMEOUT,
    exportWait: env.EXPORT_WAIT,
    stopDelay: env.STOP_DELAY ?? (production ? 5 : 0),
    quotas: toQuotas(env),
    logLevel: env.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    production,
  }
}

/** Throws where settings exclude each other although each is right by itself. */
function refuseContradictions(
  env: z.output<typeof Environment>,
  { production, embeddedProvider, demo }: Pick<Settings, 'production' | 'embeddedProvider' | 'demo'>,
): void {
  if (!embeddedProvider && env.AUTH_DOMAIN === undefined)
    throw new Error('AUTH_DOMAIN: must name the identity provider, or EMBEDDED_IDP must be on, when the portal is not on loopback.')
  if (embeddedProvider && env.AUTH_DOMAIN !== undefined) throw new Error('AUTH_DOMAIN and EMBEDDED_IDP=on exclude each other.')
  if (demo && production) throw new Error('DEMO: cannot be on in production, as its hosts and readers are simulated.')
  if (production) refuseHttp(env)
}

function refuseUnknownFlags(featureFlags: string): void {
  try {
    parseFeatureFlags([featureFlags], () => {})
  } catch (error) {
    throw new Error(`FEATURE_FLAGS: ${(error as Error).message}`)
  }
}

// Over HTTP, tokens and passwords would cross the network in the clear (SES-07).
function refuseHttp({ PUBLIC_URL, AUTH_DOMAIN, HTTP_ALLOWED }: z.output<typeof Environment>): void {
  const allowed = HTTP_ALLOWED.split(/[\s,;]+/)
  for (const [name, address] of Object.entries({ PUBLIC_URL, AUTH_DOMAIN })) {
    if (!address?.startsWith('http:')) continue
    const { hostname } = new URL(address)
    if (!isLoopback(hostname) && !allowed.includes(hostname))
      throw new Error(`${name}: must be https in production. HTTP_ALLOWED=${hostname} allows this host.`)
  }
}

function parseDatabaseUrls({
  DATABASE_URL,
  CROSSING_DATABASE_URL,
  IDENTITY_DATABASE_URL,
  MIGRATION_DATABASE_URL,
}: z.output<typeof Environment>): DatabaseUrls | null {
  if (DATABASE_URL !== undefined && CROSSING_DATABASE_URL !== undefined && IDENTITY_DATABASE_URL !== undefined)
    return {
      server: DATABASE_URL,
      crossing: CROSSING_DATABASE_URL,
      identity: IDENTITY_DATABASE_URL,
      owner: MIGRATION_DATABASE_URL ?? null,
    }
  if (DATABASE_URL !== undefined)
    throw new Error(
      `${CROSSING_DATABASE_URL === undefined ? 'CROSSING_DATABASE_URL' : 'IDENTITY_DATABASE_URL'}: must be set beside DATABASE_URL, and MIGRATION_DATABASE_URL for upgrades: an external database has four roles now, of which docs/operations.md says how to make them.`,
    )
  if ([CROSSING_DATABASE_URL, IDENTITY_DATABASE_URL, MIGRATION_DATABASE_URL].some((url) => url !== undefined))
    throw new Error('DATABASE_URL: must be set beside CROSSING_DATABASE_URL, IDENTITY_DATABASE_URL and MIGRATION_DATABASE_URL.')
  return null
}

const toQuotas = (env: z.output<typeof Environment>): Quotas => ({
  readersPerHost: env.READERS_PER_HOST,
  newReadersPerHour: env.NEW_READERS_PER_HOUR,
  outcomesPerMinute: env.OUTCOMES_PER_MINUTE,
  hostsPerOrganization: env.HOSTS_PER_ORGANIZATION,
  zonesPerOrganization: env.ZONES_PER_ORGANIZATION,
  streamsPerAccount: env.STREAMS_PER_ACCOUNT,
  storedBytesPerAccount: env.STORED_BYTES_PER_ACCOUNT,
  storedBytesPerOrganization: env.STORED_BYTES_PER_ORGANIZATION,
  storedBytesWithFirmware: env.STORED_BYTES_WITH_FIRMWARE,
  libraryEntriesPerOrganization: env.LIBRARY_ENTRIES_PER_ORGANIZATION,
  configsPerOrganization: env.CONFIGS_PER_ORGANIZATION,
  registeredReadersPerOrganization: env.REGISTERED_READERS_PER_ORGANIZATION,
  deskRecordsPerOrganization: env.DESK_RECORDS_PER_ORGANIZATION,
  groupsPerOrganization: env.GROUPS_PER_ORGANIZATION,
  casesPerAccount: env.CASES_PER_ACCOUNT,
})

/** Returns null where none of the three is set; throws an Error where only some are. */
function parseSalesforce(env: z.output<typeof Environment>): SalesforceAccess | null {
  const { SALESFORCE_URL, SALESFORCE_CLIENT_ID, SALESFORCE_CLIENT_SECRET } = env
  const given = Object.entries({ SALESFORCE_URL, SALESFORCE_CLIENT_ID, SALESFORCE_CLIENT_SECRET })
  const missing = given.filter(([, value]) => value === undefined).map(([name]) => name)
  if (missing.length === given.length) return null
  if (SALESFORCE_URL === undefined || SALESFORCE_CLIENT_ID === undefined || SALESFORCE_CLIENT_SECRET === undefined)
    throw new Error(`${missing.join(' and ')}: must be set too, or no setting of Salesforce.`)
  return {
    url: new URL(SALESFORCE_URL).origin,
    clientId: SALESFORCE_CLIENT_ID,
    clientSecret: SALESFORCE_CLIENT_SECRET,
    timeoutMs: env.SALESFORCE_TIMEOUT * 1_000,
  }
}

const toIssuer = (domain: string): string => `${/^https?:\/\//.test(domain) ? domain : `https://${domain}`}`.replace(/\/*$/, '/')

function parsePermissions(text: string): Permission[] {
  return text
    .split(/[\s,;]+/)
    .filter((name) => name !== '')
    .map((name) => {
      const permission = Permission.safeParse(name)
      if (!permission.success)
        throw new Error(`DEFAULT_PERMISSIONS: "${name}" is not a permission. Permissions: ${Permission.options.join(', ')}.`)
      return permission.data
    })
}
