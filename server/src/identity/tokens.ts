import { createHash } from 'node:crypto'
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { Problem } from '../lib/http/problem.ts'

export interface Claims {
  issuer: string
  subject: string
  permissions: string[]
  /** Undefined where the token has no e-mail and /userinfo must be called. */
  email: string | undefined
  emailVerified: boolean | undefined
}

const Payload = z.object({
  sub: z.string().check(z.minLength(1), z.maxLength(255)),
  permissions: z._default(z.array(z.string()), []),
  email: z.optional(z.string()),
  email_verified: z.optional(z.boolean()),
})
const Discovery = z.object({ jwks_uri: z.url(), userinfo_endpoint: z.url() })
const UserInfo = z.object({ email: z.string(), email_verified: z._default(z.boolean(), false) })

const timeoutMs = 5_000
const mostVerified = 10_000
const keptMs = 5 * 60_000

export interface Issuer {
  /** Checks signature (RS256), issuer, audience and expiry. Throws a Problem 401; 503 where the issuer does not respond. */
  verify(token: string): Promise<Claims>
  userInfo(token: string): Promise<{ email: string; emailVerified: boolean }>
}

/** Discovers endpoints and keys at the first call. @param issuer with a slash at the end. */
export function createIssuer(issuer: string, audience: string): Issuer {
  let discovered: Promise<{ keys: JWTVerifyGetKey; userInfoUrl: string }> | undefined
  const discover = () => {
    discovered ??= fetchDiscovery(issuer).catch((error) => {
      discovered = undefined
      throw toUnavailable(error)
    })
    return discovered
  }

  // By a hash of the token: its signature costs more than the rest of a short call. A key that the issuer withdraws ends after this long.
  const verified = new LRUCache<string, Claims>({ max: mostVerified })

  return {
    async verify(token) {
      const hash = createHash('sha256').update(token).digest('base64')
      const known = verified.get(hash)
      if (known) return known
      const { keys } = await discover()
      try {
        const { payload } = await jwtVerify(token, keys, { issuer, audience, algorithms: ['RS256'], requiredClaims: ['exp', 'sub'] })
        const { sub: subject, permissions, email, email_verified: emailVerified } = Payload.parse(payload)
        const claims = { issuer, subject, permissions, email, emailVerified }
        verified.set(hash, claims, { ttl: Math.max(1, Math.min(keptMs, payload.exp! * 1_000 - Date.now())) })
        return claims
      } catch (error) {
        if (isIssuerError(error)) throw toUnavailable(error)
        const expired = error instanceof errors.JWTExpired
        throw new Problem(401, expired ? 'The session has expired. Sign in again.' : 'The access token is not valid. Sign in again.', {
          cause: error,
        })
      }
    },
    async userInfo(token) {
      const { userInfoUrl } = await discover()
      try {
        const response = await fetch(userInfoUrl, { headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(timeoutMs) })
        if (response.status === 401 || response.status === 403)
          throw new Problem(401, 'The identity provider no longer knows this session. Sign in again.')
        if (!response.ok) throw new Error(`${userInfoUrl} returned ${response.status}`)
        const info = UserInfo.parse(await response.json())
        return { email: info.email, emailVerified: info.email_verified }
      } catch (error) {
        throw error instanceof Problem ? error : toUnavailable(error)
      }
    },
  }
}

const toUnavailable = (cause: unknown): Problem => new Problem(503, 'The identity provider does not respond.', { cause })

const isIssuerError = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC')

async function fetchDiscovery(issuer: string) {
  const response = await fetch(`${issuer}.well-known/openid-configuration`, { signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new Error(`${issuer} returned ${response.status} to discovery`)
  const { jwks_uri, userinfo_endpoint } = Discovery.parse(await response.json())
  return { keys: createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: timeoutMs }), userInfoUrl: userinfo_endpoint }
}
