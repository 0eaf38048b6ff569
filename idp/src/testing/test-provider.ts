import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createIdentityProvider, type IdentityProviderOptions } from '../provider.ts'
import { hashPassword } from '../sign-in/passwords.ts'
import type { Account } from '../storage.ts'
import { memoryStorage } from './memory-storage.ts'

export const scope = 'openid profile email offline_access manage:cfg manage:firmware access:audit_log'
export const manager = { email: 'manager@northfield.example', password: 'lectern-demo', permissions: ['manage:cfg', 'manage:firmware'] }

type Options = Partial<IdentityProviderOptions> & { host?: string; port?: number; permissions?: string[] }

/** On a loopback port, with the account `manager`. Other paths are the application's. */
export async function startProvider({ host = '127.0.0.1', port = 0, permissions = manager.permissions, ...options }: Options = {}) {
  const memory = memoryStorage()
  const errors: unknown[] = []
  const server = createServer((req, res) => {
    if (provider.paths(req.url ?? '')) provider.handler(req, res)
    else res.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>The application</title>')
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  const url = `http://${host}:${(server.address() as AddressInfo).port}`
  const settings: IdentityProviderOptions = {
    publicUrl: url,
    storage: memory.storage,
    clientId: 'lectern-web',
    audience: 'urn:lectern:api',
    redirectUris: [`${url}/`],
    logoutUris: [`${url}/`, `${url}/goodbye`],
    defaultPermissions: ['manage:cfg'],
    brand: { product: 'Lectern', provider: 'Quiet Zone Devices' },
    log: (error) => errors.push(error),
    ...options,
  }
  let provider = await createIdentityProvider(settings)
  const account = await memory.storage.createAccount({
    email: manager.email,
    emailVerified: true,
    // Cheaper than those of people: the manager signs in again and again.
    passwordHash: await hashPassword(manager.password, { N: 1_024, r: 8, p: 1 }),
    permissions,
    name: 'Maya Okafor',
  })
  return {
    url,
    ...memory,
    errors,
    account: account as Account,
    /** On the same storage. */
    async restart(changed: Partial<IdentityProviderOptions> = {}) {
      provider = await createIdentityProvider({ ...settings, ...changed })
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve()) && server.closeAllConnections()),
  }
}

export type TestProvider = Awaited<ReturnType<typeof startProvider>>

/** Cookies and redirects, without a browser. */
export function visitor(url: string) {
  const cookies = new Map<string, { pair: string; path: string }>()

  async function send(target: string, init: RequestInit = {}): Promise<Response> {
    const address = new URL(target, url)
    const cookie = [...cookies.values()].filter(({ path }) => address.pathname.startsWith(path)).map(({ pair }) => pair)
    const headers = new Headers(init.headers)
    headers.set('cookie', cookie.join('; '))
    const answer = await fetch(address, { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const pair = line.split(';')[0] ?? ''
      const path = /path=([^;]+)/i.exec(line)?.[1] ?? '/'
      const key = `${pair.split('=')[0]} ${path}`
      if (/expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(key)
      else cookies.set(key, { pair, path })
    }
    return answer
  }

  async function post(target: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    const body = new URLSearchParams(fields).toString()
    return send(target, { method: 'POST', body, headers: { origin: url, 'content-type': 'application/x-www-form-urlencoded', ...headers } })
  }

  return {
    /** By name and path. */
    cookies,
    send,
    post,
    async submit(page: string, fields: Record<string, string>): Promise<Response> {
      return post(page, { ...hiddenFields(await (await send(page)).text()), ...fields })
    },
    /** Follows redirects within the provider; returns the last response. */
    async follow(answer: Response): Promise<Response> {
      const target = answer.headers.get('location')
      return target && /^\/(authorize|login)\//.test(new URL(target, url).pathname) ? this.follow(await send(target)) : answer
    },
  }
}

export type Visitor = ReturnType<typeof visitor>

export function hiddenFields(page: string): Record<string, string> {
  return Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [name, value]),
  )
}

/** Returns the request's path and the verifier for its code. */
export function authorization(url: string, extra: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: 'lectern-web',
    response_type: 'code',
    redirect_uri: `${url}/`,
    scope,
    audience: 'urn:lectern:api',
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...extra,
  })
  return { verifier, path: `/authorize?${query}` }
}

/** Any provider, also one that a server has. */
export type Addressed = Pick<TestProvider, 'url'>

/** Returns the path of the sign-in page. */
export async function openSignIn(provider: Addressed, person: Visitor, extra?: Record<string, string>) {
  const { verifier, path } = authorization(provider.url, extra)
  const page = (await person.send(path)).headers.get('location') ?? ''
  return { verifier, page }
}

export async function signIn(provider: Addressed, person: Visitor, who: { email: string; password: string } = manager): Promise<Tokens> {
  const { verifier, page } = await openSignIn(provider, person)
  const end = await person.follow(await person.submit(page, { email: who.email, password: who.password }))
  return redeem(provider, new URL(end.headers.get('location') ?? '', provider.url).searchParams.get('code') ?? '', verifier)
}

export interface Tokens {
  status: number
  access_token: string
  id_token: string
  refresh_token: string
  expires_in: number
  scope: string
  error?: string
  error_description?: string
}

export function redeem(provider: Addressed, code: string, verifier: string, extra: Record<string, string> = {}): Promise<Tokens> {
  return token(provider, { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: `${provider.url}/`, ...extra })
}

export function renew(provider: Addressed, refreshToken: string): Promise<Tokens> {
  return token(provider, { grant_type: 'refresh_token', refresh_token: refreshToken, scope, audience: 'urn:lectern:api' })
}

export async function token(
  provider: Addressed,
  fields: Record<string, string>,
  as: 'json' | 'form' = 'json',
  headers: Record<string, string> = {},
): Promise<Tokens> {
  const all = { client_id: 'lectern-web', ...fields }
  const [type, body] =
    as === 'json' ? ['application/json', JSON.stringify(all)] : ['application/x-www-form-urlencoded', new URLSearchParams(all).toString()]
  const answer = await fetch(`${provider.url}/oauth/token`, {
    method: 'POST',
    body,
    headers: { 'content-type': type, origin: provider.url, ...headers },
  })
  return { ...((await answer.json()) as Tokens), status: answer.status }
}
