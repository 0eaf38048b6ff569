import { createHash, randomBytes } from 'node:crypto'
import { loginScopes } from '@lectern/contract/http/permissions.ts'

/**
 * Signs in over HTTP as a browser does (authorization code with PKCE) and returns the access token.
 * @param portal where the provider at `url` sends people back to
 */
export async function accessToken(url: string, email: string, password = 'lectern-demo', portal = url): Promise<string> {
  const verifier = randomBytes(32).toString('base64url')
  const { code } = await signInOverHttp({ url, email, password, portal, verifier })
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'lectern-web',
      code,
      code_verifier: verifier,
      redirect_uri: `${portal}/`,
    }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** The cookies of a browser that has signed in. */
export async function sessionCookies(url: string, email: string): Promise<{ name: string; value: string; url: string }[]> {
  const verifier = randomBytes(32).toString('base64url')
  const { jar } = await signInOverHttp({ url, email, password: 'lectern-demo', portal: url, verifier })
  return [...jar].filter(([, value]) => value !== '').map(([name, value]) => ({ name, value, url }))
}

async function signInOverHttp({
  url,
  email,
  password,
  portal,
  verifier,
}: Record<'url' | 'email' | 'password' | 'portal' | 'verifier', string>) {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'lectern-web',
    redirect_uri: `${portal}/`,
    scope: loginScopes,
    audience: 'urn:lectern:api',
    state: 'state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const jar = new Map<string, string>()
  const visit = async (address: string, init: RequestInit = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    return response
  }
  const follow = async (response: Response): Promise<{ response: Response; address: string }> => {
    let current = response
    let address = ''
    while (current.status >= 300 && current.status < 400) {
      address = new URL(current.headers.get('location') ?? '', url).href
      if (address.startsWith(`${portal}/?code=`)) break
      current = await visit(address)
    }
    return { response: current, address }
  }
  const form = await follow(await visit(`${url}/authorize?${query}`))
  const fields = [...(await form.response.text()).matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => ({
    name: /name="([^"]*)"/.exec(input)?.[1] ?? '',
    value: /value="([^"]*)"/.exec(input)?.[1] ?? '',
  }))
  const body = new URLSearchParams({ ...Object.fromEntries(fields.map(({ name, value }) => [name, value])), email, password })
  const { address } = await follow(await visit(form.address, { method: 'POST', body, headers: { origin: url } }))
  const code = new URL(address).searchParams.get('code')
  if (!code) throw new Error(`${email} could not sign in`)
  return { code, jar }
}
