import { fitToShape, type Shape } from '@lectern/contract/http/shape.ts'
import type { PublicSettings } from '@lectern/contract/system.ts'
import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { createApi } from '../lib/api/fetch.ts'
import { toIssuer } from './identity-options.ts'
import { type Profile, toSessionUser } from './session-user.ts'
import type { StoredTokenCheck } from './stored-token.ts'

const timeoutMs = 10_000
const userInfoShape: Shape = {
  object: { name: { optional: 'string' }, nickname: { optional: 'string' }, picture: { optional: 'string' } },
}

/**
 * Accepts a token that verifies (keys, issuer, audience, expiry) and whose session is alive at the API and the provider
 * (docs/decisions/0002-stored-token.md).
 */
export function createStoredTokenCheck({ domain, audience }: PublicSettings['auth']): StoredTokenCheck {
  const issuer = toIssuer(domain)
  let keys: JWTVerifyGetKey | undefined
  return async (token) => {
    try {
      keys ??= createRemoteJWKSet(new URL(`${issuer}.well-known/jwks.json`), { timeoutDuration: timeoutMs })
      const { payload } = await jwtVerify(token, keys, { issuer, audience, algorithms: ['RS256'], requiredClaims: ['exp', 'sub'] })
      const [person, profile] = await Promise.all([currentUser(token), userInfo(issuer, token)])
      return toSessionUser({ ...profile, sub: payload.sub, email: person.email }, token)
    } catch {
      return null
    }
  }
}

function currentUser(token: string) {
  const refused = () => Promise.reject(new Error('A stored token cannot be renewed'))
  const api = createApi({ tokens: { get: async () => token, renew: refused, refused: () => {}, needsPasskey: () => {} } })
  return api.call('getCurrentUser', {}, { timeout: timeoutMs })
}

async function userInfo(issuer: string, token: string) {
  const response = await fetch(`${issuer}userinfo`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Error(`The provider responded with ${response.status}`)
  return fitToShape(userInfoShape, await response.json()) as Profile
}
