import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

const audience = 'urn:lectern:api'

/** An identity provider of the bench's own: publishes a key and signs access tokens with it. */
export async function openIssuer(): Promise<{
  domain: string
  token(subject: string, permissions: string[]): Promise<string>
  close(): void
}> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' }
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host}/`
    const discovery = { issuer, jwks_uri: `${issuer}.well-known/jwks.json`, userinfo_endpoint: `${issuer}userinfo` }
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(request.url?.endsWith('jwks.json') ? { keys: [jwk] } : discovery))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const domain = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return {
    domain,
    token: (subject, permissions) =>
      new SignJWT({ permissions, email: 'bench@bench.example', email_verified: true })
        .setProtectedHeader({ alg: 'RS256', kid: 'bench' })
        .setIssuer(`${domain}/`)
        .setAudience(audience)
        .setSubject(subject)
        .setExpirationTime('1h')
        .sign(privateKey),
    close: () => server.close(),
  }
}
