import type { Configuration, JWK, KoaContextWithOIDC, Account as ProviderAccount } from 'oidc-provider'
import { errors, interactionPolicy } from 'oidc-provider'
import { storageAdapter } from './adapter.ts'
import { profileClaims, tokenClaims } from './claims.ts'
import type { Account, Storage } from './storage.ts'

/** Where the provider answers, below the root of the app's own origin: the paths of the hosted service the web client is written for. */
export const endpoints = {
  authorization: '/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  logout: '/v2/logout',
  userinfo: '/userinfo',
  jwks: '/.well-known/jwks.json',
} as const

export const discoveryPaths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'] as const

/** Seconds. A refresh token lives on with every renewal, at most as long as the grant. */
export type Lifetimes = { accessToken: number; refreshToken: number; session: number; grant: number; interaction: number }

const day = 24 * 60 * 60
export const lifetimes: Lifetimes = { accessToken: 3600, refreshToken: 14 * day, session: 14 * day, grant: 30 * day, interaction: 3600 }

const identityScopes = ['openid', 'profile', 'email', 'offline_access']

type Settings = {
  storage: Storage
  clientId: string
  product: string
  audience: string
  redirectUris: string[]
  /** Where the application is: the origins of its redirect addresses. */
  origins: ReadonlySet<string>
  keys: JWK[]
  cookieSecrets: string[]
  ttl: Lifetimes
  renderError: NonNullable<Configuration['renderError']>
}

/** The configuration of oidc-provider: one public first-party client, PKCE, JWT access tokens for one audience, no consent screens. */
export function providerConfiguration(settings: Settings): Configuration {
  const { storage, ttl, audience } = settings
  return {
    adapter: (model: string) => storageAdapter(storage, model),
    clients: [
      {
        client_id: settings.clientId,
        client_name: settings.product,
        redirect_uris: settings.redirectUris,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    clientBasedCORS: (_ctx, origin) => settings.origins.has(origin),
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
      names: { session: 'idp_session', interaction: 'idp_interaction', resume: 'idp_resume' },
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
    pkce: { required: () => true },
    scopes: identityScopes,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'nickname', 'picture'] },
    conformIdTokenClaims: false,
    extraParams: {
      audience: restoreOfflineAccess,
      // `signup` opens the sign-up form instead of the sign-in form.
      screen_hint: null,
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: { enabled: true },
      userinfo: { enabled: true },
      webMessageResponseMode: { enabled: true, ack: 'individual-draft-01' },
      resourceIndicators: {
        enabled: true,
        defaultResource: (ctx) => ctx.oidc.params?.audience as string,
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, resource) => {
          if (resource !== audience) throw new errors.InvalidTarget()
          return { audience, scope: availableScopes(ctx), accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }
        },
      },
    },
    interactions: { policy: signInPolicy(), url: (_ctx, interaction) => `/login/${interaction.uid}` },
    findAccount: async (_ctx, id) => {
      const account = await storage.findAccount(id)
      return account && !account.blocked ? providerAccount(account) : undefined
    },
    loadExistingGrant: grantEverythingAsked,
    // The library's own rule wants a consent screen first.
    issueRefreshToken: (_ctx, _client, source) => source.scopes.has('offline_access'),
    rotateRefreshToken: true,
    extraTokenClaims: async (_ctx, token) => {
      if (token.kind !== 'AccessToken') return undefined
      const account = await storage.findAccount(token.accountId)
      return account ? tokenClaims(account, token.grantId) : undefined
    },
    renderError: settings.renderError,
  }
}

type KnownAccount = ProviderAccount & { permissions: string[] }

function providerAccount(account: Account): KnownAccount {
  return { accountId: account.id, permissions: account.permissions, claims: () => profileClaims(account) }
}

/** Asks for the form again when the signed-in account is gone or blocked; never asks for consent, the client is the provider's own. */
function signInPolicy() {
  const policy = interactionPolicy.base()
  policy.remove('consent')
  const gone = new interactionPolicy.Check(
    'account_gone',
    'the signed-in account cannot be used any more',
    'login_required',
    (ctx) => Boolean(ctx.oidc.session?.accountId) && !ctx.oidc.account,
  )
  policy.get('login')?.checks.add(gone)
  return policy
}

/** The library drops `offline_access` from a request without `prompt=consent`; the first-party client may have it. */
function restoreOfflineAccess(ctx: KoaContextWithOIDC): void {
  const asked = typeof ctx.query.scope === 'string' ? ctx.query.scope.split(' ') : []
  const { params } = ctx.oidc
  if (params && asked.includes('offline_access')) params.scope = `${params.scope} offline_access`
}

/**
 * While a request is made, whatever is asked may be had later, if permitted then. When a token is made, its scope is cut down to the
 * account's present permissions: so a renewal may always repeat the scope of the sign-in.
 */
function availableScopes(ctx: KoaContextWithOIDC): string {
  if (ctx.oidc.route !== 'token') return (ctx.oidc.params?.scope as string | undefined) ?? ''
  const permissions = (ctx.oidc.account as KnownAccount | undefined)?.permissions ?? []
  return [...identityScopes, ...permissions].join(' ')
}

/** The session's grant, made or widened for what is asked. */
async function grantEverythingAsked(ctx: KoaContextWithOIDC) {
  const { provider, client, session, account, params, resourceServers } = ctx.oidc
  if (!client || !session || !account) return undefined
  const existing = session.grantIdFor(client.clientId)
  const found = existing ? await provider.Grant.find(existing) : undefined
  const grant =
    found?.accountId === account.accountId ? found : new provider.Grant({ clientId: client.clientId, accountId: account.accountId })
  const asked = ((params?.scope as string | undefined) ?? '').split(' ').filter(Boolean)
  grant.addOIDCScope(asked.filter((scope) => identityScopes.includes(scope)).join(' '))
  for (const resource of Object.keys(resourceServers ?? {})) grant.addResourceScope(resource, asked.join(' '))
  await grant.save()
  return grant
}
