import type { IncomingMessage, ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'
import { discoveryPaths, endpoints, type Lifetimes, lifetimes, providerConfiguration } from './configuration.ts'
import { crossOrigin } from './cross-origin.ts'
import { securityHeaders } from './headers.ts'
import { logout } from './logout.ts'
import { assets, stylesheet } from './sign-in/assets.ts'
import { type Context, formGuard } from './sign-in/browser.ts'
import { links } from './sign-in/links.ts'
import { login } from './sign-in/login.ts'
import { type Brand, pages } from './sign-in/pages.ts'
import { formLimits, type SignInAttempts } from './sign-in/rate-limit.ts'
import { recovery } from './sign-in/recovery.ts'
import { deriveSecrets, loadSigningKeys } from './signing-keys.ts'
import type { Message, Storage } from './storage.ts'
import { asForm, sayInvalidRefreshToken } from './token-body.ts'
import { userinfo } from './userinfo.ts'

export type IdentityProviderOptions = {
  /** The address browsers use. All the provider's own addresses are made from it, whatever Host header a request carries. */
  publicUrl: string
  storage: Storage
  clientId: string
  /** The API the access tokens are for: an absolute URI. */
  audience: string
  redirectUris: string[]
  /** Where a sign-out may return to; the first is taken when nobody says, and is where the pages lead back to. */
  logoutUris: string[]
  /** What an account that signs itself up may do. */
  defaultPermissions: string[]
  brand: Brand
  /** Sends a message. Without it, or when it fails, messages go to `storage.keepMessage`. */
  mail?: (message: Message) => Promise<void>
  /** One proxy of ours stands in front: the last entry of X-Forwarded-For is the caller. */
  trustProxy?: boolean
  /** Makes a scanner of one JSON body, which says of each piece whether to read on; without it every body is read. */
  scanJson?: () => (chunk: Uint8Array) => boolean
  /** Hears of unexpected errors; nothing of them is shown to anybody. */
  log?: (error: unknown) => void
  lifetimes?: Partial<Lifetimes>
  /** 10 per account and 100 per address unless said; counted in this process. */
  signInAttempts?: SignInAttempts
}

export type IdentityProvider = {
  /** With the slash at its end, as the hosted service has it. */
  issuer: string
  /** Whether a request's path (with or without query) is the provider's to answer. */
  paths: (url: string) => boolean
  /** Answers such a request. Must get it before anybody reads its body. Sends headers of its own, so nobody else should. */
  handler: (req: IncomingMessage, res: ServerResponse) => void
}

/**
 * The embedded OpenID provider: authorization code with PKCE for one public first-party client, JWT access tokens (RS256) with the
 * account's `permissions`, rotating refresh tokens, the hidden-frame answer, sign-in and sign-up pages. Spec §7, Identity provider.
 */
export async function createIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { storage, brand, clientId, audience, redirectUris, logoutUris, defaultPermissions, trustProxy = false } = options
  const { origin, host, protocol } = new URL(options.publicUrl)
  const issuer = `${origin}/`
  const applicationOrigins = new Set(redirectUris.map((uri) => new URL(uri).origin))
  // The application may be on another origin; the provider has no page of its own to come back to.
  const home = logoutUris[0] ?? issuer
  const log = options.log ?? (() => {})
  const keys = await loadSigningKeys(storage)
  const view = pages(brand, home, stylesheet)

  const provider = new Provider(
    issuer,
    providerConfiguration({
      storage,
      clientId,
      product: brand.product,
      audience,
      redirectUris,
      origins: applicationOrigins,
      keys,
      cookieSecrets: deriveSecrets(keys, 'cookies'),
      ttl: { ...lifetimes, ...options.lifetimes },
      renderError: (ctx, out) => {
        const text =
          out.error === 'server_error' ? 'Something went wrong on our side. Try again.' : `${out.error_description ?? out.error}.`
        view.problem(ctx, ctx.status, 'Sign-in cannot go on', text.charAt(0).toUpperCase() + text.slice(1))
      },
    }),
  )
  provider.on('server_error', (_ctx, error) => log(error))
  // Koa's own event, which the library's types leave out.
  ;(provider as NodeJS.EventEmitter).on('error', log)
  // The handler below writes these headers itself, from the public address.
  provider.proxy = true

  const forms = {
    provider,
    storage,
    pages: view,
    guard: formGuard(deriveSecrets(keys, 'forms')[0] ?? '', origin),
    limits: formLimits(options.signInAttempts),
    links: links({ storage, publicUrl: origin, brand, mail: options.mail, onError: log }),
    brand,
    home,
    trustProxy,
    defaultPermissions,
  }
  provider.use(crossOrigin(applicationOrigins))
  provider.use(securityHeaders(applicationOrigins))
  provider.use(async (ctx: Context, next: () => Promise<void>) => {
    try {
      await next()
    } catch (error) {
      log(error)
      view.problem(ctx, 500, 'Something went wrong', 'This is our fault. Try again in a moment.')
    }
  })
  provider.use(assets)
  provider.use(login(forms))
  provider.use(recovery(forms))
  provider.use(logout({ provider, storage, clientId, logoutUris, pages: view }))
  provider.use(userinfo(provider, storage, audience, keys))
  provider.use(sayInvalidRefreshToken)
  const answer = provider.callback()

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const form = await asForm(req, options.scanJson?.())
    if (!form) {
      const body = JSON.stringify({ error: 'invalid_request', error_description: 'the request body cannot be read as JSON' })
      res.writeHead(400, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(body)
      return
    }
    Object.assign(form.headers, { host, 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) })
    await answer(form, res)
  }

  return {
    issuer,
    paths: ownsPath,
    handler: (req, res) => {
      handle(req, res).catch((error: unknown) => {
        log(error)
        res.destroy()
      })
    },
  }
}

const ownPaths = new Set<string>([...Object.values(endpoints), ...discoveryPaths, '/verify-email', '/reset-password'])

function ownsPath(url: string): boolean {
  const path = url.split(/[?#]/)[0] ?? ''
  return ownPaths.has(path) || path.startsWith('/authorize/') || path.startsWith('/login/')
}
