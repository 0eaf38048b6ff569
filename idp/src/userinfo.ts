import { createPublicKey, verify, type webcrypto } from 'node:crypto'
import type { JWK, Provider } from 'oidc-provider'
import { toProfileClaims } from './claims.ts'
import { endpoints } from './configuration.ts'
import type { Context } from './sign-in/browser.ts'
import type { Storage } from './storage.ts'

/**
 * /userinfo for access tokens of the API, since the library accepts only tokens without an audience. The grant must still exist, so a
 * token is refused after sign-out.
 */
export function handleUserinfo(provider: Provider, storage: Storage, audience: string, keys: JWK[]) {
  const publicKeys = new Map(keys.map((key) => [key.kid, createPublicKey({ key: key as webcrypto.JsonWebKey, format: 'jwk' })]))

  function verifyToken(token: string): { sub: string; grant: string } | undefined {
    try {
      const [head, body, signature] = token.split('.') as [string, string, string]
      const { alg, typ, kid } = decode(head)
      const key = publicKeys.get(kid as string)
      if (alg !== 'RS256' || typ !== 'at+jwt' || !key) return undefined
      if (!verify('RSA-SHA256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))) return undefined
      const { iss, aud, exp, sub, grant } = decode(body)
      const valid = iss === provider.issuer && aud === audience && Number(exp) > Date.now() / 1000
      return valid ? { sub: String(sub), grant: String(grant) } : undefined
    } catch {
      return undefined
    }
  }

  return async (ctx: Context, next: () => Promise<void>) => {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(ctx.get('authorization'))?.[1]
    if (ctx.path !== endpoints.userinfo || !token) return next()
    const claims = verifyToken(token)
    const grant = claims && (await provider.Grant.find(claims.grant))
    const account = grant?.accountId === claims?.sub && claims ? await storage.findAccount(claims.sub) : undefined
    if (!account || account.blocked) {
      ctx.status = 401
      ctx.set('WWW-Authenticate', 'Bearer error="invalid_token"')
      ctx.body = { error: 'invalid_token', error_description: 'the access token is not valid, or its session has ended' }
      return
    }
    ctx.body = toProfileClaims(account)
  }
}

function decode(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>
}
