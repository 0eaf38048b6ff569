import type { Auth0ProviderOptions } from '@auth0/auth0-react'
import workerUrl from '@auth0/auth0-spa-js/dist/auth0-spa-js.worker.production.js?url'
import { loginScopes } from '@lectern/contract/http/permissions.ts'
import type { PublicSettings } from '@lectern/contract/system.ts'

/** Seconds a login popup may take (spec §9). */
export const popupTimeout = 60

/**
 * How the identity library is run (spec §4, §6, §9). Tokens stay in memory, the refresh token in a worker; without one, a hidden frame asks.
 * What the library fixes itself: popup of 400 by 600, 3 attempts at a token request, a lock that waits 5 s ten times, access tokens
 * expired 60 s early, the frame removed after 2 s.
 */
export function identityOptions({ domain, clientId, audience }: PublicSettings['auth'], origin: string): Auth0ProviderOptions {
  return {
    domain,
    clientId,
    authorizationParams: { audience, scope: loginScopes, redirect_uri: `${origin}/` },
    cacheLocation: 'memory',
    useRefreshTokens: true,
    useRefreshTokensFallback: true,
    // The content security policy allows no worker made from a blob.
    workerUrl,
    httpTimeoutInSeconds: 10,
    authorizeTimeoutInSeconds: 60,
    leeway: 60,
    sessionCheckExpiryDays: 1,
    legacySameSiteCookie: false,
  }
}

/** The issuer as tokens name it, with a slash at the end. */
export const toIssuer = (domain: string): string => `${/^https?:\/\//.test(domain) ? domain : `https://${domain}`}`.replace(/\/*$/, '/')
