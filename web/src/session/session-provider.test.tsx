// @vitest-environment jsdom
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Auth0Client } from '@auth0/auth0-spa-js'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { useSession } from '../lib/session.ts'
import { getErrorKind } from './identity-error.ts'
import { createIdentityOptions } from './identity-options.ts'
import { SessionProvider } from './session-provider.tsx'

/** A provider that breaks every connection. */
const seen: string[] = []
const server = createServer((request) => {
  seen.push(request.url ?? '')
  request.socket.destroy()
})
let domain = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  domain = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})
afterEach(() => {
  cleanup()
  sessionStorage.clear()
  seen.length = 0
  history.replaceState(null, '', '/')
})

const auth = () => ({ domain, clientId: 'lectern-web', audience: 'urn:lectern:api' })

function open(url: string, overrides: Partial<ReturnType<typeof createIdentityOptions>> = {}) {
  history.replaceState(null, '', url)
  const onReturn = vi.fn((path: string) => history.replaceState(null, '', path))
  const options = { ...createIdentityOptions(auth(), location.origin), ...overrides }
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SessionProvider options={options} storedToken={null} onReturn={onReturn}>
      {children}
    </SessionProvider>
  )
  const states: [boolean, boolean][] = []
  const { result } = renderHook(
    () => {
      const session = useSession()
      states.push([session.isLoading, session.isAuthenticated])
      return session
    },
    { wrapper },
  )
  return { result, states, onReturn }
}

/** What the library leaves behind when it leaves for the provider. */
const leave = (returnTo?: string) =>
  sessionStorage.setItem(
    'a0.spajs.txs.lectern-web',
    JSON.stringify({
      state: 's',
      nonce: 'n',
      code_verifier: 'v',
      scope: 'openid',
      audience: 'urn:lectern:api',
      redirect_uri: 'http://localhost/',
      response_type: 'code',
      appState: { returnTo },
    }),
  )

test('[ACC-08 ACC-09] a session starts loading and unauthenticated; without a user it ends unauthenticated', async () => {
  const { result, states } = open('/codedm')
  expect(states[0]).toEqual([true, false])
  await waitFor(() => expect(result.current.isLoading).toBe(false))
  expect(result.current).toMatchObject({ isAuthenticated: false, user: null, error: null, hasEnded: false })
})

test('[ACC-09 ACC-21 ACC-27] a sign-in whose token request meets no answer three times is unauthenticated, with "Login failed"', async () => {
  leave('/codedm/zones?a=1')
  const { result, onReturn } = open('/?code=c&state=s')
  await waitFor(() => expect(result.current.error?.message).toBe('Login failed'))
  await waitFor(() => expect(result.current).toMatchObject({ isLoading: false, isAuthenticated: false, user: null }))
  expect(seen).toEqual(['/oauth/token', '/oauth/token', '/oauth/token'])
  expect(onReturn).toHaveBeenCalledWith('/')
})

test('[ACC-03 ACC-10 ACC-23] an error with a state is handled as the callback; the URL becomes the return target', async () => {
  leave('/codedm/zones?a=1')
  const { result } = open('/?error=access_denied&error_description=You+may+not+enter.&state=s')
  await waitFor(() => expect(result.current.error).toMatchObject({ code: 'access_denied', message: 'You may not enter.' }))
  expect(location.pathname + location.search).toBe('/codedm/zones?a=1')
})

test('[ACC-03 ACC-10] without a return target the URL becomes the current path', async () => {
  leave()
  open('/codedm?error=access_denied&state=s')
  await waitFor(() => expect(location.href).toBe('http://localhost:3000/codedm'))
})

test('[ACC-10] a code without a state is not the callback', async () => {
  leave()
  const { result } = open('/codedm?code=c')
  await waitFor(() => expect(result.current.isLoading).toBe(false))
  expect([result.current.error, seen, location.search]).toEqual([null, [], '?code=c'])
})

test.each([
  ['state_mismatch', () => leave('/codedm')],
  ['missing_transaction', () => {}],
])('[ACC-20 ACC-26] a callback with another state fails with "Invalid state": %s', async (kind, prepare) => {
  prepare()
  const { result } = open('/?code=c&state=other')
  await waitFor(() => expect(result.current.error?.message).toBe('Invalid state'))
  expect(getErrorKind(result.current.error)).toBe(kind)
  expect(seen).toEqual([])
})

test('[ACC-15 ACC-26] without a refresh token and without the frame, retrieval fails naming audience and scope', async () => {
  const { result } = open('/codedm', {
    useRefreshTokensFallback: false,
    authorizationParams: { audience: 'urn:lectern:api', scope: 'openid email' },
  })
  await waitFor(() => expect(result.current.isLoading).toBe(false))
  const error = await act(() => result.current.getToken().catch((reason: unknown) => reason))
  expect(getErrorKind(error)).toBe('missing_refresh_token')
  expect((error as Error).message).toBe("Missing Refresh Token (audience: 'urn:lectern:api', scope: 'openid email offline_access')")
})

test('[ACC-25] outside its provider the hook says what to wrap', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(() => renderHook(() => useSession())).toThrow(/wrap the component in a SessionProvider/)
  error.mockRestore()
})

test('[ACC-28] a sign-in asks for the default scope, "openid profile email", beside the permissions', async () => {
  const client = new Auth0Client(createIdentityOptions(auth(), location.origin))
  let address = ''
  await client.loginWithRedirect({
    openUrl: (url) => {
      address = url
    },
  })
  const asked = new URL(address).searchParams.get('scope')?.split(' ')
  expect(asked).toEqual(expect.arrayContaining(['openid', 'profile', 'email', 'manage:cfg']))
})

test('[ACC-29 ACC-31 ACC-32 ACC-34] what the library lets us choose is chosen', () => {
  expect(createIdentityOptions(auth(), 'http://localhost')).toMatchObject({
    cacheLocation: 'memory',
    useRefreshTokens: true,
    useRefreshTokensFallback: true,
    httpTimeoutInSeconds: 10,
    authorizeTimeoutInSeconds: 60,
    leeway: 60,
    sessionCheckExpiryDays: 1,
  })
})
