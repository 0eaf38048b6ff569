import { expect, test } from 'vitest'
import { parseSettings } from './settings.ts'

test('nothing set: the defaults, with the embedded provider on loopback', () => {
  expect(parseSettings({})).toEqual({
    port: 3000,
    host: 'localhost',
    publicUrl: 'http://localhost:3000',
    dataDir: '.lectern',
    databaseUrls: null,
    listenUrl: null,
    preparedStatements: true,
    embeddedDatabase: null,
    auth: {
      domain: 'http://localhost:3000',
      clientId: 'lectern-web',
      audience: 'urn:lectern:api',
      issuer: 'http://localhost:3000/',
    },
    embeddedProvider: true,
    signInDays: 30,
    defaultPermissions: [],
    smtpUrl: null,
    sentryDsn: null,
    localToken: true,
    providerName: 'Quiet Zone Devices',
    featureFlags: '',
    catalogueFile: null,
    agentFiles: null,
    brands: [
      { name: 'Quiet Zone Devices', logo: null, colour: '#151a20', accent: '#1c49ba' },
      { name: 'Lectern', logo: null, colour: '#20242a', accent: '#146736' },
    ],
    accountUrl: 'https://account.quietzone.example/',
    supportPhone: '+1 800 555 0142',
    salesforce: null,
    demo: false,
    trustProxy: 0,
    rateLimit: 6_000,
    bodiesAtOnce: 8,
    requestTimeout: 30,
    readTimeout: 10,
    exportWait: 20,
    stopDelay: 0,
    quotas: {
      readersPerHost: 10_000,
      newReadersPerHour: 5_000,
      outcomesPerMinute: 3_000,
      hostsPerOrganization: 10_000,
      zonesPerOrganization: 10_000,
      storedBytesPerAccount: 52_428_800,
      storedBytesPerOrganization: 2_147_483_648,
      storedBytesWithFirmware: 10_737_418_240,
      libraryEntriesPerOrganization: 10_000,
      configsPerOrganization: 10_000,
      registeredReadersPerOrganization: 1_000_000,
      deskRecordsPerOrganization: 1_000_000,
      groupsPerOrganization: 1_000,
      casesPerAccount: 1_000,
      streamsPerAccount: 50,
    },
    logLevel: 'warn',
    minBattery: 25,
    largePublish: { zones: 10, readers: 500 },
    organizationPermissions: 'role',
    production: false,
  })
})

test('an empty value counts as none', () => {
  expect(parseSettings({ PORT: '', AUTH_DOMAIN: '', DEMO: '' })).toEqual(parseSettings({}))
})

test('[SES-07] it listens on loopback, in production on every address, or where HOST says', () => {
  const production = { NODE_ENV: 'production', AUTH_DOMAIN: 'login.example', PUBLIC_URL: 'https://portal.example' }
  expect(parseSettings({}).host).toBe('localhost')
  expect(parseSettings(production).host).toBe('0.0.0.0')
  expect(parseSettings({ ...production, HOST: '10.0.0.7' }).host).toBe('10.0.0.7')
})

test('[FLT-03] a stop waits for a load balancer in production, and where STOP_DELAY says so', () => {
  expect(parseSettings({ NODE_ENV: 'production', AUTH_DOMAIN: 'login.example', PUBLIC_URL: 'https://portal.example' }).stopDelay).toBe(5)
  expect(parseSettings({ STOP_DELAY: '12' }).stopDelay).toBe(12)
  expect(parseSettings({ NODE_ENV: 'production', EMBEDDED_IDP: 'on', STOP_DELAY: '0' }).stopDelay).toBe(0)
})

test.for([
  { PUBLIC_URL: 'http://portal.example', AUTH_DOMAIN: 'login.example', HTTP_ALLOWED: 'portal.example' },
  { PUBLIC_URL: 'http://portal.example', AUTH_DOMAIN: 'http://login.example', HTTP_ALLOWED: 'login.example, portal.example' },
  { PUBLIC_URL: 'http://localhost:3000', AUTH_DOMAIN: 'http://127.0.0.1:4000' },
])('[SES-07] production starts with %o', (environment) => {
  expect(parseSettings({ NODE_ENV: 'production', ...environment }).production).toBe(true)
})

test('[SES-07] outside production http is taken', () => {
  expect(parseSettings({ PUBLIC_URL: 'http://portal.example', AUTH_DOMAIN: 'http://login.example' }).production).toBe(false)
})

test('the public address follows the port, and loses its slash', () => {
  expect(parseSettings({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080')
  expect(parseSettings({ PUBLIC_URL: 'http://127.0.0.1:9000/' }).publicUrl).toBe('http://127.0.0.1:9000')
})

test.for([
  ['login.acme.example', 'https://login.acme.example/'],
  ['https://login.acme.example', 'https://login.acme.example/'],
  ['http://127.0.0.1:4000/', 'http://127.0.0.1:4000/'],
])('an external provider %s is the issuer %s', ([domain, issuer]) => {
  const { auth, embeddedProvider } = parseSettings({ AUTH_DOMAIN: domain, PUBLIC_URL: 'https://portal.acme.example' })
  expect(auth).toMatchObject({ domain, issuer })
  expect(embeddedProvider).toBe(false)
})

test.for(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])('the embedded provider starts by itself on %s', (url) => {
  expect(parseSettings({ PUBLIC_URL: url }).embeddedProvider).toBe(true)
})

test.for([
  { PUBLIC_URL: 'https://portal.acme.example' },
  { PUBLIC_URL: 'http://localhost.acme.example' },
  { NODE_ENV: 'production' },
  { EMBEDDED_IDP: 'off' },
])('without a provider it does not start with %o', (environment) => {
  expect(() => parseSettings(environment)).toThrow('AUTH_DOMAIN: must name the identity provider, or EMBEDDED_IDP must be on')
  if (!environment.EMBEDDED_IDP) expect(parseSettings({ ...environment, EMBEDDED_IDP: 'on' }).embeddedProvider).toBe(true)
})

test('a demo shows what there is to show', () => {
  const { demo, defaultPermissions, featureFlags } = parseSettings({ DEMO: 'on' })
  expect({ demo, featureFlags }).toEqual({ demo: true, featureFlags: 'showConfigurationLibrary' })
  expect(defaultPermissions).toEqual([])
  expect(parseSettings({ DEMO: 'on', DEFAULT_PERMISSIONS: 'manage:cfg, manage:firmware' }).defaultPermissions).toHaveLength(2)
})

test.for(['https://key@errors.example/1', 'http://key@127.0.0.1:9000/behind/a/path/42'])('errors may be reported to %s', (dsn) => {
  expect(parseSettings({ SENTRY_DSN: dsn }).sentryDsn).toBe(dsn)
})

test.for<[Record<string, string>, RegExp]>([
  [{ PORT: 'http' }, /^PORT: .*expected number/],
  [{ PORT: '70000' }, /^PORT: .*65535/],
  [{ PORT: '80.5' }, /^PORT: .*int/],
  [{ PUBLIC_URL: 'portal' }, /^PUBLIC_URL: must be an http or https address/],
  [{ PUBLIC_URL: 'ftp://portal' }, /^PUBLIC_URL: must be an http or https address/],
  [{ PUBLIC_URL: 'http://localhost:3000/portal' }, /^PUBLIC_URL: must be an origin/],
  [{ PUBLIC_URL: 'http://localhost:3000/?x' }, /^PUBLIC_URL: must be an origin/],
  [
    { DATABASE_URL: 'postgres://lectern_server@db/lectern' },
    /^CROSSING_DATABASE_URL: must be set beside DATABASE_URL, and MIGRATION_DATABASE_URL/,
  ],
  [
    { DATABASE_URL: 'postgres://lectern_server@db/lectern', CROSSING_DATABASE_URL: 'postgres://lectern_crossing@db/lectern' },
    /^IDENTITY_DATABASE_URL: must be set beside DATABASE_URL, and MIGRATION_DATABASE_URL/,
  ],
  [{ MIGRATION_DATABASE_URL: 'postgres://lectern@db/lectern' }, /^DATABASE_URL: must be set beside/],
  [{ DATABASE_URL: 'mysql://here' }, /^DATABASE_URL: must be a postgres:\/\/ address/],
  [{ EMBEDDED_IDP: 'perhaps' }, /^EMBEDDED_IDP: .*on/],
  [{ EMBEDDED_IDP: 'on', AUTH_DOMAIN: 'login.example' }, /^AUTH_DOMAIN and EMBEDDED_IDP=on exclude each other/],
  [{ AUTH_DOMAIN: 'not a host' }, /^AUTH_DOMAIN: must be/],
  [
    { DEFAULT_PERMISSIONS: 'manage:cfg,manage:everything' },
    /^DEFAULT_PERMISSIONS: "manage:everything" is not a permission. Permissions: manage:cfg, /,
  ],
  [{ SMTP_URL: 'mail.example' }, /^SMTP_URL: must be an smtp:\/\/ address/],
  [{ SENTRY_DSN: 'https://errors.example/1' }, /^SENTRY_DSN: must be a DSN without a secret, such as https/],
  [{ SENTRY_DSN: 'https://key:secret@errors.example/1' }, /^SENTRY_DSN: must be a DSN/],
  [{ SENTRY_DSN: 'https://key@errors.example' }, /^SENTRY_DSN: must be a DSN/],
  [{ SENTRY_DSN: 'ftp://key@errors.example/1' }, /^SENTRY_DSN: must be a DSN/],
  [{ LOCAL_TOKEN: '2' }, /^LOCAL_TOKEN: .*off/],
  [{ FEATURE_FLAGS: 'showAuditLog=perhaps' }, /^FEATURE_FLAGS: Invalid value for feature flag showAuditLog: "perhaps"/],
  [{ ACCOUNT_URL: 'javascript:alert(1)' }, /^ACCOUNT_URL: must be an http or https address/],
  [{ LARGE_PUBLISH_ZONES: '0' }, /^LARGE_PUBLISH_ZONES: /],
  [{ LARGE_PUBLISH_READERS: 'many' }, /^LARGE_PUBLISH_READERS: /],
  [{ MIN_BATTERY: '101' }, /^MIN_BATTERY: /],
  [{ DEMO: 'please' }, /^DEMO: .*on/],
  [{ DEMO: 'on', NODE_ENV: 'production', AUTH_DOMAIN: 'login.example' }, /^DEMO: cannot be on in production/],
  [
    { NODE_ENV: 'production', AUTH_DOMAIN: 'login.example', PUBLIC_URL: 'http://portal.example' },
    /^PUBLIC_URL: must be https in production. HTTP_ALLOWED=portal.example allows this host.$/,
  ],
  [
    { NODE_ENV: 'production', AUTH_DOMAIN: 'http://login.example', PUBLIC_URL: 'https://portal.example', HTTP_ALLOWED: 'portal.example' },
    /^AUTH_DOMAIN: must be https in production. HTTP_ALLOWED=login.example allows this host.$/,
  ],
  [{ TRUST_PROXY: 'on' }, /^TRUST_PROXY: must be how many proxies stand in front, such as 1/],
  [{ TRUST_PROXY: '-1' }, /^TRUST_PROXY: /],
  [{ BODIES_AT_ONCE: '0' }, /^BODIES_AT_ONCE: /],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: .*"warn"/],
  [{ EMBEDDED_DATABASE: 'pipe' }, /^EMBEDDED_DATABASE: .*"socket"/],
])('%o stops the start', ([environment, sentence]) => {
  expect(() => parseSettings(environment)).toThrow(sentence)
})

test('every wrong setting is named, not only the first', () => {
  expect(() => parseSettings({ PORT: 'x', LOG_LEVEL: 'loud', SMTP_URL: 'x' })).toThrow(/PORT: .*\n.*SMTP_URL: .*\n.*LOG_LEVEL: /s)
})

const salesforce = {
  SALESFORCE_URL: 'https://acme.my.salesforce.com/',
  SALESFORCE_CLIENT_ID: 'portal',
  SALESFORCE_CLIENT_SECRET: 'secret',
}

test('[CRM-02] Salesforce is used where it is configured', () => {
  const access = { url: 'https://acme.my.salesforce.com', clientId: 'portal', clientSecret: 'secret', timeoutMs: 8_000 }
  expect(parseSettings(salesforce).salesforce).toEqual(access)
  expect(parseSettings({ ...salesforce, SALESFORCE_TIMEOUT: '20' }).salesforce).toEqual({ ...access, timeoutMs: 20_000 })
  expect(parseSettings({ SALESFORCE_TIMEOUT: '20' }).salesforce).toBeNull()
})

test.for([
  [{ SALESFORCE_URL: '' }, 'SALESFORCE_URL: must be set too, or no setting of Salesforce.'],
  [{ SALESFORCE_CLIENT_SECRET: '' }, 'SALESFORCE_CLIENT_SECRET: must be set too, or no setting of Salesforce.'],
  [
    { SALESFORCE_CLIENT_ID: '', SALESFORCE_CLIENT_SECRET: '' },
    'SALESFORCE_CLIENT_ID and SALESFORCE_CLIENT_SECRET: must be set too, or no setting of Salesforce.',
  ],
  [
    { SALESFORCE_URL: 'http://acme.my.salesforce.com' },
    'SALESFORCE_URL: must be the organization’s own domain, such as https://acme.my.salesforce.com',
  ],
  [
    { SALESFORCE_URL: 'https://acme.my.salesforce.com/services' },
    'SALESFORCE_URL: must be the organization’s own domain, such as https://acme.my.salesforce.com',
  ],
] as const)('Salesforce half set, or in the open, stops the start: %j', ([parts, sentence]) => {
  expect(() => parseSettings({ ...salesforce, ...parts })).toThrow(sentence)
})
