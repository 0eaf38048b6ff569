import './supported-runtime.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'
import { createConfiguration, discoveryPaths, endpoints, type Lifetimes, lifetimes } from './configuration.ts'
import { restrictOrigins } from './cross-origin.ts'
import { handleLogout } from './logout.ts'
import { createCeremonies } from './passkeys/ceremonies.ts'
import { handlePasskeys } from './passkeys/manage.ts'
import { noPasskeyRules, type PasskeyRules } from './passkeys/rules.ts'
import { handlePasskeySignIn } from './passkeys/sign-in.ts'
import { createRefreshTokens } from './refresh-tokens.ts'
import { serveAssets, stylesheet } from './sign-in/assets.ts'
import { type Context, createFormGuard } from './sign-in/browser.ts'
import { handlePasswordChange } from './sign-in/change-password.ts'
import { createDelivery } from './sign-in/delivery.ts'
import { createKnownBrowsers } from './sign-in/known-browsers.ts'
import { createLinks } from './sign-in/links.ts'
import { handleLogin } from './sign-in/login.ts'
import { createNotices } from './sign-in/notices.ts'
import { type Brand, createPages, type Pages } from './sign-in/pages.ts'
import { createFormLimits, type SignInAttempts } from './sign-in/rate-limit.ts'
import { handleRecovery } from './sign-in/recovery.ts'
import { createSecurityLog, type SecurityEvent, type SecurityLog } from './sign-in/security-log.ts'
import { createSigningKeys, deriveSecrets, type SigningKeys } from './signing-keys.ts'
import type { Message, Storage } from './storage.ts'
import { StorageOutage } from './storage-outage.ts'
import { describeInvalidRefreshToken, toFormRequest } from './token-body.ts'
import { handleUserinfo } from './userinfo.ts'

export interface IdentityProviderOptions {
  /** All addresses of the provider derive from it, whatever Host header a request has. */
  publicUrl: string
  storage: Storage
  clientId: string
  audience: string
  redirectUris: string[]
  /** Where a sign-out may return to. The first one is the default, and the home link of the pages. */
  logoutUris: string[]
  defaultPermissions: string[]
  brand: Brand
  /** Where it is absent or fails, messages go to `storage.saveMessage`. */
  mail?: (message: Message) => Promise<void>
  /** How many proxies are in front. Each appends to X-Forwarded-For. */
  trustProxy?: number
  /** Makes a scanner for one JSON body, which returns false for the piece at which it is refused. Absent: every body is read. */
  scanJson?: () => (chunk: Uint8Array) => boolean
  /** Called with unexpected errors, which users do not see. */
  log?: (error: unknown) => void
  lifetimes?: Partial<Lifetimes>
  /** Default: 10 per account, 100 per address. */
  signInAttempts?: SignInAttempts
  /** Default: none is required. */
  passkeyRules?: PasskeyRules
  /** Must not reject. */
  onSecurityEvent?: (event: SecurityEvent) => Promise<void>
}

export interface IdentityProvider {
  /** Ends with a slash, as the hosted service's does. */
  issuer: string
  /**
   * Whether a request is for the provider.
   * @param url path with or without query
   */
  paths: (url: string) => boolean
  /** Must get the request before its body is read. It sends its own headers. */
  handler: (req: IncomingMessage, res: ServerResponse) => void
}

/**
 * Authorization code with PKCE for one public first-party client, JWT access tokens (RS256) with the account's `permissions`, rotating
 * refresh tokens, silent sign-in in a frame, pages for sign-in and sign-up (spec §7, Identity provider).
 */
export async function createIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { host, protocol } = new URL(options.publicUrl)
  const log = options.log ?? (() => {})
  const serve = await createServing(options)

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const form = await toFormRequest(req, options.scanJson?.())
    if (!form) {
      const body = JSON.stringify({ error: 'invalid_request', error_description: 'the request body cannot be read as JSON' })
      res.writeHead(400, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(body)
      return
    }
    Object.assign(form.headers, { host, 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) })
    await serve(form, res)
  }

  return {
    issuer: toIssuer(options.publicUrl),
    paths: isOwnPath,
    handler: (req, res) => {
      handle(req, res).catch((error: unknown) => {
        log(error)
        res.destroy()
      })
    },
  }
}

/** The library takes keys only when it is made, so it is made again for new ones. */
async function createServing(options: IdentityProviderOptions) {
  const { origin } = new URL(options.publicUrl)
  const readKeys = createSigningKeys(options.storage, options.lifetimes?.accessToken ?? lifetimes.accessToken)
  const pages = createPages(options.brand, options.logoutUris[0] ?? `${origin}/`, stylesheet)
  const events = createSecurityLog(options.trustProxy ?? 0, options.onSecurityEvent)
  const build = (keys: SigningKeys) => {
    const provider = createProvider(options, keys, pages, events)
    addMiddleware(provider, options, keys, pages, events)
    return { ids: toIds(keys), callback: provider.callback() }
  }
  let built = build(await readKeys())
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const keys = await readKeys()
    if (toIds(keys) !== built.ids) built = build(keys)
    await built.callback(req, res)
  }
}

const toIds = ({ published, all }: SigningKeys) => [published, all].map((keys) => keys.map(({ kid }) => kid).join()).join('/')

const toIssuer = (publicUrl: string) => `${new URL(publicUrl).origin}/`

const toOrigins = (uris: string[]) => new Set(uris.map((uri) => new URL(uri).origin))

function createProvider(options: IdentityProviderOptions, keys: SigningKeys, pages: Pages, events: SecurityLog): Provider {
  const { storage, clientId, brand, audience, redirectUris, log = () => {} } = options
  const refreshTokens = createRefreshTokens({
    storage,
    secret: deriveSecrets(keys, 'refresh tokens')[0],
    trustProxy: options.trustProxy ?? 0,
    events,
  })
  const configuration = createConfiguration({
    publicUrl: options.publicUrl,
    storage,
    refreshTokens,
    clientId,
    product: brand.product,
    audience,
    redirectUris,
    origins: toOrigins(redirectUris),
    keys: keys.published,
    cookieSecrets: deriveSecrets(keys, 'cookies'),
    ttl: { ...lifetimes, ...options.lifetimes },
    renderError: (ctx, out) => {
      if (out.error === 'temporarily_unavailable') return pages.problem(ctx, ctx.status, 'Not available', out.error_description ?? '')
      const text = out.error === 'server_error' ? 'Something went wrong on our side. Try again.' : `${out.error_description ?? out.error}.`
      pages.problem(ctx, ctx.status, 'Sign-in failed', text.charAt(0).toUpperCase() + text.slice(1))
    },
  })
  const provider = new Provider(toIssuer(options.publicUrl), configuration)
  provider.on('server_error', (_ctx, error) => log(error))
  // Koa's event, which the library's types lack.
  ;(provider as NodeJS.EventEmitter).on('error', log)
  // `createIdentityProvider` sets the forwarded headers from the public address.
  provider.proxy = true
  refreshTokens.nameSuccessors(provider)
  return provider
}

function addMiddleware(provider: Provider, options: IdentityProviderOptions, keys: SigningKeys, pages: Pages, events: SecurityLog): void {
  const { storage, brand, clientId, audience, redirectUris, logoutUris, defaultPermissions, trustProxy = 0, log = () => {} } = options
  const { origin } = new URL(options.publicUrl)
  const applicationOrigins = toOrigins(redirectUris)
  const guard = createFormGuard(deriveSecrets(keys, 'forms'), origin)
  const deliver = createDelivery({ storage, mail: options.mail, onError: log })
  const forms = {
    provider,
    storage,
    pages,
    guard,
    ceremonies: createCeremonies({ storage, guard, events, origin, product: brand.product }),
    rules: options.passkeyRules ?? noPasskeyRules,
    limits: createFormLimits(storage, options.signInAttempts),
    browsers: createKnownBrowsers(storage),
    events,
    links: createLinks({ storage, publicUrl: origin, home: logoutUris[0] ?? `${origin}/`, brand, deliver, onError: log }),
    notices: createNotices({ publicUrl: origin, brand, trustProxy, deliver }),
    brand,
    // The provider has no home page; the application may be on another origin.
    home: logoutUris[0] ?? provider.issuer,
    trustProxy,
    defaultPermissions,
  }
  provider.use(restrictOrigins(applicationOrigins))
  provider.use(setSecurityHeaders(applicationOrigins))
  provider.use(async (ctx: Context, next: () => Promise<void>) => {
    try {
      await next()
    } catch (error) {
      if (error instanceof StorageOutage) pages.problem(ctx, error.statusCode, 'Not available', error.error_description)
      else {
        log(error)
        pages.problem(ctx, 500, 'Something went wrong', 'This is our fault. Try again in a moment.')
      }
    }
    const seconds = retryAfter[ctx.status]
    if (seconds !== undefined) ctx.set('Retry-After', seconds)
  })
  provider.use(serveAssets)
  provider.use(handlePasskeySignIn(forms))
  provider.use(handleLogin(forms))
  provider.use(handlePasskeys(forms))
  provider.use(handleRecovery(forms))
  provider.use(handlePasswordChange(forms))
  provider.use(handleLogout({ ...forms, clientId, logoutUris }))
  provider.use(handleUserinfo(provider, storage, audience, keys.published))
  provider.use(describeInvalidRefreshToken)
}

/** Seconds, by the status of an outage. */
const retryAfter: Record<number, string> = { 503: '2', 507: '60' }

const ownPaths = new Set<string>([
  ...Object.values(endpoints),
  ...discoveryPaths,
  '/verify-email',
  '/reset-password',
  '/change-password',
  '/passkeys',
  '/create-account',
])

function isOwnPath(url: string): boolean {
  const path = url.split(/[?#]/)[0] ?? ''
  return ownPaths.has(path) || path.startsWith('/authorize/') || path.startsWith('/login/')
}

/** Only the web_message response may be in a frame, and only in one of the application's origins. */
function setSecurityHeaders(applicationOrigins: ReadonlySet<string>) {
  const origins = [...applicationOrigins].join(' ')
  // Browsers check form-action also for the redirect to the application after a posted sign-in.
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    'script-src',
    `form-action 'self' ${origins}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return async (ctx: Context, next: () => Promise<void>) => {
    ctx.set('Content-Security-Policy', policy.join(';'))
    ctx.set('X-Frame-Options', 'DENY')
    ctx.set('X-Content-Type-Options', 'nosniff')
    // With `no-referrer`, browsers send forms with the origin "null".
    ctx.set('Referrer-Policy', 'same-origin')
    ctx.set('Cache-Control', 'no-store')
    ctx.set('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()')
    // Pages of a sign-in may be in a pop-up, which responds to its opener.
    if (!/^\/(authorize|login)(\/|$)/.test(ctx.path)) ctx.set('Cross-Origin-Opener-Policy', 'same-origin')
    await next()
    const sent = ctx.response.get('content-security-policy')
    // The library removes frame-ancestors from the web_message response.
    if (sent && !sent.includes('frame-ancestors')) ctx.set('Content-Security-Policy', `${sent};frame-ancestors 'self' ${origins}`)
  }
}
