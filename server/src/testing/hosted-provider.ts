import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'
import { testAudience } from './issuer.ts'

interface Options {
  /** Where logout tokens are sent. */
  portal: () => string
  /** Whether access tokens name their session. */
  namesSession: boolean
}

/** A hosted identity provider: the library as it is, with forms that take any name as the account, and OpenID back-channel logout. */
export async function startHostedProvider({ portal, namesSession }: Options) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'hosted', alg: 'RS256', use: 'sig' }
  const http = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
  const provider = new Provider(url, {
    jwks: { keys: [jwk] },
    cookies: { keys: ['of these tests'] },
    clients: [
      {
        client_id: 'lectern-web',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/'],
        post_logout_redirect_uris: ['http://127.0.0.1/'],
        backchannel_logout_uri: 'http://127.0.0.1/backchannel-logout',
        backchannel_logout_session_required: true,
      },
    ],
    ...createFeatures(portal),
    extraTokenClaims: (_ctx, token) => ({
      email: `${'accountId' in token ? token.accountId : ''}@hosted.example`,
      email_verified: true,
      ...(namesSession && 'sid' in token && { sid: token.sid }),
    }),
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, email: `${id}@hosted.example`, email_verified: true }) }),
  })
  const errors: string[] = []
  provider.on('backchannel.error', (_ctx, error) => errors.push(error.message))
  const handle = provider.callback()
  return {
    url,
    errors,
    sign: (claims: object, { alg = 'RS256', typ = 'logout+jwt' } = {}) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg, kid: 'hosted', typ }).sign(privateKey),
    close: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
}

const createFeatures = (portal: () => string): Configuration => ({
  ttl: { AccessToken: 3600, Grant: 3600, IdToken: 3600, Interaction: 600, Session: 3600 },
  features: {
    backchannelLogout: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => testAudience,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        audience: testAudience,
        scope: 'openid',
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
  // By default the library calls no address of this machine.
  fetch: (address, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown } = {}) =>
    fetch(new URL(new URL(String(address)).pathname, portal()), options),
})
