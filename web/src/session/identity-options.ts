import type { Auth0ClientOptions } from '@auth0/auth0-spa-js'
import workerUrl from '@auth0/auth0-spa-js/dist/auth0-spa-js.worker.production.js?url'
import type { PublicSettings } from '@lectern/contract/system.ts'
import { loginScopes } from '../lib/api/endpoints.ts'

/** Seconds for which a login popup may stay open (spec §9). */
export const popupTimeout = 60

/**
 * Spec §4, §6, §9. Tokens are in memory, the refresh token in a worker; without one, a hidden frame is used. Fixed by the library: popup of
 * 400 by 600, 3 attempts per token request, a lock that waits 5 s up to 10 times, access tokens expired 60 s early, the frame removed after
 * 2 s.
 */
export function createIdentityOptions({ domain, clientId, audience }: PublicSettings['auth'], origin: string): Auth0ClientOptions {
  return {
    domain,
    clientId,
    authorizationParams: { audience, scope: loginScopes, redirect_uri: `${origin}/` },
    cacheLocation: 'memory',
    useRefreshTokens: true,
    useRefreshTokensFallback: true,
    // The content security policy forbids workers from blobs.
    workerUrl,
    httpTimeoutInSeconds: 10,
    authorizeTimeoutInSeconds: 60,
    leeway: 60,
    sessionCheckExpiryDays: 1,
    legacySameSiteCookie: false,
  }
}

/** The issuer as in tokens, with a slash at the end. */
export const toIssuer = (domain: string): string => `${/^https?:\/\//.test(domain) ? domain : `https://${domain}`}`.replace(/\/*$/, '/')
