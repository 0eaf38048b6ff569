import type { Adapter, AdapterPayload, Configuration, JWK, KoaContextWithOIDC, Account as ProviderAccount } from 'oidc-provider'
import { errors, interactionPolicy } from 'oidc-provider'
import { toProfileClaims, toTokenClaims } from './claims.ts'
import type { createRefreshTokens } from './refresh-tokens.ts'
import { toCookieName } from './sign-in/browser.ts'
import type { Account, Storage } from './storage.ts'

/** Paths below the root of the application's origin, as the hosted service has them. */
export const endpoints = {
  authorization: '/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  logout: '/v2/logout',
  userinfo: '/userinfo',
  jwks: '/.well-known/jwks.json',
} as const

export const discoveryPaths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'] as const

/** The ACR value of a sign-in that cannot be phished, one with a passkey (OpenID EAP ACR Values 1.0). */
export const passkeyAcr = 'phr'

/** The `amr` of a sign-in with a passkey (RFC 8176): proof of a key, by a person who was present. */
export const passkeyAmr = ['pop', 'user']

/** Seconds. Each renewal extends a refresh token, and each use a session. A sign-in ends with its grant, which nothing extends. */
export interface Lifetimes {
  accessToken: number
  refreshToken: number
  session: number
  grant: number
  interaction: number
}

const day = 24 * 60 * 60
export const lifetimes: Lifetimes = { accessToken: 3600, refreshToken: 14 * day, session: 14 * day, grant: 30 * day, interaction: 50 * 60 }

const identityScopes = ['openid', 'profile', 'email', 'offline_access']

interface Settings {
  publicUrl: string
  storage: Storage
  refreshTokens: ReturnType<typeof createRefreshTokens>
  clientId: string
  product: string
  audience: string
  redirectUris: string[]
  origins: ReadonlySet<string>
  keys: JWK[]
  cookieSecrets: string[]
  ttl: Lifetimes
  renderError: NonNullable<Configuration['renderError']>
}

export function createConfiguration(settings: Settings): Configuration {
  const { storage, ttl, audience } = settings
  const secure = new URL(settings.publicUrl).protocol === 'https:'
  return {
    ...createClient(settings),
    ...createRules(storage, ttl.grant),
    adapter: (model: string) =>
      model === 'RefreshToken' ? settings.refreshTokens.adapt(createAdapter(storage, model)) : createAdapter(storage, model),
    jwks: { keys: settings.keys },
    routes: {
      authorization: endpoints.authorization,
      token: endpoints.token,
      revocation: endpoints.revocation,
      userinfo: endpoints.userinfo,
      jwks: endpoints.jwks,
      end_session: endpoints.logout,
    },
    cookies: {
      keys: settings.cookieSecrets,
      names: {
        session: toCookieName({ secure }, 'idp_session'),
        // Cookies with a path each, which the stronger prefix forbids.
        interaction: secure ? '__Secure-idp_interaction' : 'idp_interaction',
        resume: secure ? '__Secure-idp_resume' : 'idp_resume',
      },
      long: { httpOnly: true, sameSite: 'lax' },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      AccessToken: ttl.accessToken,
      AuthorizationCode: 60,
      Grant: ttl.grant,
      IdToken: ttl.accessToken,
      Interaction: ttl.interaction,
      RefreshToken: ttl.refreshToken,
      Session: ttl.session,
    },
    scopes: identityScopes,
    acrValues: [passkeyAcr],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    // `handleLogout` serves it instead of the library.
    discovery: { end_session_endpoint: new URL(endpoints.logout, settings.publicUrl).href },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'nickname', 'picture'] },
    conformIdTokenClaims: false,
    features: createFeatures(audience),
    renderError: settings.renderError,
  }
}

const createClient = ({ clientId, product, redirectUris, origins }: Settings): Configuration => ({
  clients: [
    {
      client_id: clientId,
      client_name: product,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  ],
  clientBasedCORS: (_ctx, origin) => origins.has(origin),
  pkce: { required: () => true },
  extraParams: {
    audience: restoreOfflineAccess,
    // `signup` opens the sign-up form.
    screen_hint: null,
  },
})

const createFeatures = (audience: string): Configuration['features'] => ({
  devInteractions: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  revocation: { enabled: true },
  userinfo: { enabled: true },
  webMessageResponseMode: { enabled: true, ack: 'individual-draft-01' },
  resourceIndicators: {
    enabled: true,
    defaultResource: (ctx) => ctx.oidc.params?.audience as string,
    useGrantedResource: () => true,
    getResourceServerInfo: (ctx, resource) => {
      if (resource !== audience) throw new errors.InvalidTarget()
      return { audience, scope: getAvailableScope(ctx), accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }
    },
  },
})

const createRules = (storage: Storage, longest: number): Configuration => ({
  interactions: { policy: createSignInPolicy(longest), url: (_ctx, interaction) => `/login/${interaction.uid}` },
  findAccount: async (_ctx, id) => {
    const account = await storage.findAccount(id)
    return account && !account.blocked ? toProviderAccount(account) : undefined
  },
  loadExistingGrant: (ctx) => ensureGrant(ctx, longest),
  // By default the library requires a consent screen.
  issueRefreshToken: (_ctx, _client, source) => source.scopes.has('offline_access'),
  rotateRefreshToken: true,
  extraTokenClaims: async (ctx, token) => {
    if (token.kind !== 'AccessToken') return undefined
    const account = await storage.findAccount(token.accountId)
    return account ? { ...toTokenClaims(account, token.grantId), amr: findAmr(ctx) } : undefined
  },
})

const createAdapter = (storage: Storage, model: string): Adapter => ({
  upsert: (id, payload, expiresIn) => storage.upsertRecord(model, id, payload, expiresIn),
  find: async (id) => (await storage.findRecord(model, id)) as AdapterPayload | undefined,
  findByUid: async (uid) => (await storage.findRecordByUid(model, uid)) as AdapterPayload | undefined,
  // User codes are only for the device flow, which is off.
  findByUserCode: async () => undefined,
  consume: async (id) => {
    // The library checks before it consumes, so of two concurrent requests both pass its check.
    if (!(await storage.consumeRecord(model, id))) throw new errors.InvalidGrant('already used')
  },
  destroy: (id) => storage.deleteRecord(model, id),
  revokeByGrantId: (grantId) => storage.deleteRecordsByGrant(model, grantId),
})

interface KnownAccount extends ProviderAccount {
  permissions: string[]
}

const toProviderAccount = (account: Account): KnownAccount => ({
  accountId: account.id,
  permissions: account.permissions,
  claims: () => toProfileClaims(account),
})

/** The reason of a prompt. */
export const passkeyRequired = 'passkey_required'

/**
 * Without consent, as the client is the provider's own. A deleted or blocked account must sign in again, and every account after `longest`
 * seconds.
 */
function createSignInPolicy(longest: number) {
  const policy = interactionPolicy.base()
  policy.remove('consent')
  const gone = new interactionPolicy.Check(
    'account_gone',
    'the signed-in account is deleted or blocked',
    'login_required',
    (ctx) => Boolean(ctx.oidc.session?.accountId) && !ctx.oidc.account,
  )
  const ended = new interactionPolicy.Check('sign_in_ended', 'the sign-in is too long ago', 'login_required', (ctx) => {
    const { session } = ctx.oidc
    return Boolean(session?.accountId) && getEnd(longest, session?.authTime()) <= Date.now() / 1000
  })
  policy.get('login')?.checks.add(gone)
  const stepUp = new interactionPolicy.Check(passkeyRequired, 'a sign-in with a passkey is required', 'login_required', (ctx) => {
    const asked = String(ctx.oidc.params?.acr_values ?? '').split(' ')
    return asked.includes(passkeyAcr) && ctx.oidc.session?.amr?.includes('pop') !== true
  })
  policy.get('login')?.checks.add(ended)
  policy.get('login')?.checks.add(stepUp)
  return policy
}

/** How the person signed in. The code and later refresh tokens keep it. */
function findAmr({ oidc }: KoaContextWithOIDC): string[] | undefined {
  const { AuthorizationCode, RefreshToken } = oidc.entities
  return (AuthorizationCode ?? RefreshToken)?.amr
}

/** The library drops `offline_access` where a request has no `prompt=consent`. */
function restoreOfflineAccess(ctx: KoaContextWithOIDC): void {
  const requested = typeof ctx.query.scope === 'string' ? ctx.query.scope.split(' ') : []
  const { params } = ctx.oidc
  if (params && requested.includes('offline_access')) params.scope = `${params.scope} offline_access`
}

/**
 * An authorization request may ask for any scope. A token gets the permissions that the account has at that moment, so a renewal can always
 * repeat the scope of the sign-in.
 */
function getAvailableScope(ctx: KoaContextWithOIDC): string {
  if (ctx.oidc.route !== 'token') return (ctx.oidc.params?.scope as string | undefined) ?? ''
  const permissions = (ctx.oidc.account as KnownAccount | undefined)?.permissions ?? []
  return [...identityScopes, ...permissions].join(' ')
}

/** When a sign-in ends, in seconds since the epoch. */
const getEnd = (longest: number, signedInAt = 0) => signedInAt + longest

async function ensureGrant(ctx: KoaContextWithOIDC, longest: number) {
  const { provider, client, session, account, params, resourceServers } = ctx.oidc
  if (!client || !session || !account) return undefined
  const exp = getEnd(longest, session.authTime())
  if (exp <= Date.now() / 1000) return undefined
  const grantId = session.grantIdFor(client.clientId)
  const existing = grantId ? await provider.Grant.find(grantId) : undefined
  const grant =
    existing?.accountId === account.accountId ? existing : new provider.Grant({ clientId: client.clientId, accountId: account.accountId })
  const requested = ((params?.scope as string | undefined) ?? '').split(' ').filter(Boolean)
  grant.addOIDCScope(requested.filter((scope) => identityScopes.includes(scope)).join(' '))
  for (const resource of Object.keys(resourceServers ?? {})) grant.addResourceScope(resource, requested.join(' '))
  // The library would let a new grant of an old sign-in live longer.
  Object.assign(grant, { exp })
  await grant.save()
  return grant
}
