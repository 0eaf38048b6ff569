import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as z from 'zod/mini'
import { Problem } from '../lib/http/problem.ts'

/** What a verified access token says. */
export interface Claims {
  issuer: string
  subject: string
  permissions: string[]
  /** Only where the issuer puts them into the access token; else they are asked for at /userinfo. */
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

/** Verifies access tokens of one issuer and asks it about people. */
export interface Issuer {
  /** Throws a Problem 401 unless signature (RS256, the issuer's published keys), issuer, audience and expiry hold. */
  verify(token: string): Promise<Claims>
  userInfo(token: string): Promise<{ email: string; emailVerified: boolean }>
}

/** The issuer's endpoints and keys are found by discovery, when first needed. `issuer` ends with a slash. */
export function createIssuer(issuer: string, audience: string): Issuer {
  let discovered: Promise<{ keys: JWTVerifyGetKey; userInfoUrl: string }> | undefined
  const discover = () => {
    discovered ??= fetchDiscovery(issuer).catch((error) => {
      discovered = undefined
      throw unreachable(error)
    })
    return discovered
  }

  return {
    async verify(token) {
      const { keys } = await discover()
      try {
        const { payload } = await jwtVerify(token, keys, { issuer, audience, algorithms: ['RS256'], requiredClaims: ['exp', 'sub'] })
        const claims = Payload.parse(payload)
        return { issuer, subject: claims.sub, permissions: claims.permissions, email: claims.email, emailVerified: claims.email_verified }
      } catch (error) {
        if (isIssuersFault(error)) throw unreachable(error)
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
          throw new Problem(401, 'The identity provider does not know this session any more. Sign in again.')
        if (!response.ok) throw new Error(`${userInfoUrl} answered ${response.status}`)
        const info = UserInfo.parse(await response.json())
        return { email: info.email, emailVerified: info.email_verified }
      } catch (error) {
        throw error instanceof Problem ? error : unreachable(error)
      }
    },
  }
}

const unreachable = (cause: unknown): Problem => new Problem(503, 'The identity provider does not answer.', { cause })

/** Keys that could not be fetched or read; every other failure is the token's. */
const isIssuersFault = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC')

async function fetchDiscovery(issuer: string) {
  const response = await fetch(`${issuer}.well-known/openid-configuration`, { signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new Error(`${issuer} answered ${response.status} to discovery`)
  const { jwks_uri, userinfo_endpoint } = Discovery.parse(await response.json())
  return { keys: createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: timeoutMs }), userInfoUrl: userinfo_endpoint }
}
