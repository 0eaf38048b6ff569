import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export const testAudience = 'urn:lectern:test'

/** An external identity provider: discovery, keys and userinfo over HTTP. */
export interface TestIssuer {
  /** Ends with a slash. */
  url: string
  /** An access token valid for an hour, unless `claims` says otherwise. */
  token(subject: string, claims?: JWTPayload, typ?: string): Promise<string>
  /** What /userinfo returns, by subject. */
  people: Map<string, { email: string; email_verified?: boolean }>
  /** The subjects of calls of /userinfo. */
  asked: string[]
  close(): Promise<void>
}

/** Each issuer has its own key. */
export async function startIssuer(): Promise<TestIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'test', alg: 'RS256', use: 'sig' }
  const people: TestIssuer['people'] = new Map()
  const asked: string[] = []
  let url = ''
  const http = createServer((request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/.well-known/openid-configuration')
      return answer(200, { issuer: url, jwks_uri: `${url}keys`, userinfo_endpoint: `${url}userinfo` })
    if (request.url === '/keys') return answer(200, { keys: [jwk] })
    const payload = request.headers.authorization?.split('.')[1] ?? ''
    const subject = String(JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}').sub)
    asked.push(subject)
    const person = people.get(subject)
    return person ? answer(200, { sub: subject, ...person }) : answer(401, {})
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
  return {
    url,
    people,
    asked,
    token: (subject, claims = {}, typ) => signToken(privateKey, { iss: url, aud: testAudience, sub: subject, ...claims }, typ),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
}

/** RS256; valid for an hour by default. */
export function signToken(key: CryptoKey, claims: JWTPayload, typ?: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const header = { alg: 'RS256', kid: 'test', ...(typ !== undefined && { typ }) }
  return new SignJWT({ iat: now, exp: now + 3600, ...claims }).setProtectedHeader(header).sign(key)
}
