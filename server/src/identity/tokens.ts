import { createHash } from 'node:crypto'
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { cleanAddress } from '../lib/address.ts'
import { Problem } from '../lib/http/problem.ts'

export interface Claims {
  issuer: string
  subject: string
  permissions: string[]
  /** Undefined where the token has no e-mail address; /userinfo has it. */
  email: string | undefined
  emailVerified: boolean | undefined
  /** How the person signed in (RFC 8176); empty where the token does not say it. */
  amr: string[]
  session: SessionOfToken
}

/**
 * Both names are optional in a token. `issuedAt`: epoch seconds. `sid`: a hosted provider's name of the session. `grant`: the embedded
 * provider's name of the sign-in.
 */
export interface SessionOfToken {
  issuedAt: number
  sid: string | undefined
  grant: string | undefined
}

/** Ends a subject's sessions that began until `endedAt` (epoch seconds), or the session of this `sid`. */
export interface LogoutToken {
  issuer: string
  jti: string
  subject: string | undefined
  sid: string | undefined
  endedAt: number
}

const Id = z.string().check(z.minLength(1), z.maxLength(255))
const Payload = z.object({
  sub: Id,
  permissions: z._default(z.array(z.string()), []),
  email: z.optional(z.string()),
  email_verified: z.optional(z.boolean()),
  amr: z._default(z.array(z.string()), []),
  iat: z._default(z.number(), 0),
  sid: z.optional(z.string()),
  grant: z.optional(z.string()),
})
// OpenID back-channel logout 1.0 §2.4 and §2.6.
const LogoutPayload = z
  .object({
    jti: Id,
    iat: z.number(),
    sub: z.optional(Id),
    sid: z.optional(Id),
    nonce: z.optional(z.undefined()),
    events: z.object({ 'http://schemas.openid.net/event/backchannel-logout': z.record(z.string(), z.unknown()) }),
  })
  .check(z.refine(({ sub, sid }) => sub !== undefined || sid !== undefined, 'must name a subject or a session'))
const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url(), userinfo_endpoint: z.url() })
const UserInfo = z.object({ email: z.string(), email_verified: z._default(z.boolean(), false) })

const timeoutMs = 5_000
const mostVerified = 10_000
const keptMs = 5 * 60_000

// Types of access tokens (RFC 9068). Hosted providers may omit the type, or give that of any JWT.
const accessTypes = ['at+jwt', 'application/at+jwt']
const logoutTypes = ['logout+jwt', 'application/logout+jwt']
const unspecific = [undefined, 'jwt']
const algorithms = ['RS256']

// Seconds by which the issuer's clock may be ahead.
const clockTolerance = 60

export interface Issuer {
  /**
   * Checks signature (RS256), type, issuer, audience and expiry, as of `at`, or now. Throws a Problem 401; 503 where the issuer does not
   * respond.
   */
  verify(token: string, at?: Date): Promise<Claims>
  /** Throws a Problem 400; 503 where the issuer does not respond. */
  verifyLogout(token: string): Promise<LogoutToken>
  userInfo(token: string): Promise<{ email: string; emailVerified: boolean }>
  /** Throws an Error where the documents are another issuer's. Returns the error where the issuer does not respond. */
  check(): Promise<unknown>
}

interface IssuerSettings {
  issuer: string
  audience: string
  clientId: string
}

/** Discovers endpoints and keys at the first call. @param settings `issuer` with a slash at the end */
export function createIssuer({ issuer, audience, clientId }: IssuerSettings, isEmbedded: boolean): Issuer {
  const discover = createDiscovery(issuer)
  // Verified tokens, by their hash: verifying a signature costs more than the rest of a short call. A key that the issuer withdraws is
  // trusted until they expire here.
  const verified = new LRUCache<string, Claims>({ max: mostVerified })

  return {
    async verify(token, at = new Date()) {
      if (!isCanonical(token)) throw new Problem(401, 'The access token is not valid. Sign in again.')
      const hash = createHash('sha256').update(token).digest('base64')
      const known = verified.get(hash)
      if (known) return known
      const { keys } = await discover()
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keys, {
          issuer,
          audience,
          algorithms,
          currentDate: at,
          requiredClaims: ['exp', 'sub'],
        })
        if (!isAccessToken(protectedHeader.typ, payload.aud, { clientId, isEmbedded })) throw new Error('This is no access token')
        const claims = toClaims(issuer, Payload.parse(payload))
        const leftMs = payload.exp! * 1_000 - Date.now()
        if (leftMs >= 1) verified.set(hash, claims, { ttl: Math.min(keptMs, leftMs) })
        return claims
      } catch (cause) {
        if (isIssuerError(cause)) throw toUnavailable(cause)
        const expired = cause instanceof errors.JWTExpired
        throw new Problem(401, expired ? 'The session has expired. Sign in again.' : 'The access token is not valid. Sign in again.', {
          cause,
        })
      }
    },
    async verifyLogout(token) {
      const { keys } = await discover()
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keys, {
          issuer,
          audience: clientId,
          algorithms,
          requiredClaims: ['exp'],
        })
        return toLogoutToken(issuer, payload, protectedHeader.typ)
      } catch (cause) {
        throw isIssuerError(cause) ? toUnavailable(cause) : new Problem(400, 'The logout token is not valid.', { cause })
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
        return { email: cleanAddress(info.email), emailVerified: info.email_verified }
      } catch (error) {
        throw error instanceof Problem ? error : toUnavailable(error)
      }
    },
    check: () => discover().then(() => undefined, explainSilence),
  }
}

// Refuses padding or other letters in a signature: the library takes them for the same signature, and a token would have several texts.
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}

function createDiscovery(issuer: string) {
  let discovered: ReturnType<typeof fetchDiscovery> | undefined
  return () => {
    discovered ??= fetchDiscovery(issuer).catch((error) => {
      discovered = undefined
      throw toUnavailable(error)
    })
    return discovered
  }
}

/** Throws an Error where it is no logout token. */
function toLogoutToken(issuer: string, payload: JWTPayload, type: string | undefined): LogoutToken {
  if (![...logoutTypes, ...unspecific].includes(type?.toLowerCase())) throw new Error('This is no logout token')
  const { jti, sub: subject, sid, iat } = LogoutPayload.parse(payload)
  if (iat > Date.now() / 1_000 + clockTolerance) throw new Error('This logout token is of the future')
  return { issuer, jti, subject, sid, endedAt: iat }
}

// An ID token has the client as its audience. A token for the client is accepted only where its type says that it is for the API.
function isAccessToken(
  type: string | undefined,
  audience: string | string[] | undefined,
  { clientId, isEmbedded }: { clientId: string; isEmbedded: boolean },
) {
  const name = type?.toLowerCase()
  if (name !== undefined && accessTypes.includes(name)) return true
  return !isEmbedded && unspecific.includes(name) && ![audience].flat().includes(clientId)
}

const toClaims = (issuer: string, payload: z.output<typeof Payload>): Claims => ({
  issuer,
  subject: payload.sub,
  permissions: payload.permissions,
  email: payload.email === undefined ? undefined : cleanAddress(payload.email),
  emailVerified: payload.email_verified,
  amr: payload.amr,
  session: { issuedAt: payload.iat, sid: payload.sid, grant: payload.grant },
})

const toUnavailable = (cause: unknown): Problem => new Problem(503, 'The identity provider does not respond.', { cause })

const isIssuerError = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC')

// The documents name another issuer: whoever responds in its place could name keys of their own.
class ForeignIssuer extends Error {}

function explainSilence({ cause }: Error): unknown {
  if (cause instanceof ForeignIssuer) throw cause
  return cause
}

async function fetchDiscovery(issuer: string) {
  const response = await fetch(`${issuer}.well-known/openid-configuration`, { signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new Error(`${issuer} returned ${response.status} to discovery`)
  const { issuer: named, jwks_uri, userinfo_endpoint } = Discovery.parse(await response.json())
  if (named !== issuer) throw new ForeignIssuer(`AUTH_DOMAIN: ${response.url} is of the issuer ${named}, not of ${issuer}`)
  return {
    keys: createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: timeoutMs, cacheMaxAge: keptMs }),
    userInfoUrl: userinfo_endpoint,
  }
}
