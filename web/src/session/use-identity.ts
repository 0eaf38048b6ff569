import { Auth0Client, type Auth0ClientOptions, type User } from '@auth0/auth0-spa-js'
import { useEffect, useMemo, useRef, useState } from 'react'

interface State {
  isLoading: boolean
  user: User | undefined
  error: unknown
}

export interface Identity extends State, Pick<Auth0Client, 'loginWithRedirect'> {
  /** Keeps a failure as `error`. */
  loginWithPopup: Auth0Client['loginWithPopup']
  getToken(options: { cacheMode: 'on' | 'off' }): Promise<string>
  logout: Auth0Client['logout']
}

/** Whether the URL is the provider's callback: a code or an error, with a state (spec §4). */
export const isCallback = (): boolean => /[?&](code|error)=[^&]/.test(location.search) && /[?&]state=[^&]/.test(location.search)

/**
 * The state of the sign-in library's client. `onReturn`: called with the path from which a sign-in started; undefined where there was none.
 */
export function useIdentity(options: Auth0ClientOptions, onReturn: (path: string | undefined) => void): Identity {
  const [client] = useState(() => new Auth0Client(options))
  const [state, setState] = useState<State>({ isLoading: true, user: undefined, error: undefined })
  const wasStarted = useRef(false)

  useEffect(() => {
    // A code is used once, also where React runs effects twice.
    if (wasStarted.current) return
    wasStarted.current = true
    start(client, onReturn).then(
      (user) => setState({ isLoading: false, user, error: undefined }),
      (error: unknown) => setState({ isLoading: false, user: undefined, error }),
    )
  }, [client, onReturn])

  const actions = useMemo(() => {
    const showUser = async () => {
      const user = await client.getUser()
      setState((before) => (before.user === user ? before : { ...before, user }))
    }
    return {
      loginWithRedirect: client.loginWithRedirect.bind(client),
      async loginWithPopup(...args: Parameters<Auth0Client['loginWithPopup']>) {
        setState((before) => ({ ...before, isLoading: true }))
        try {
          await client.loginWithPopup(...args)
          setState({ isLoading: false, user: await client.getUser(), error: undefined })
        } catch (error) {
          setState((before) => ({ ...before, isLoading: false, error }))
        }
      },
      async getToken({ cacheMode }: { cacheMode: 'on' | 'off' }) {
        try {
          return await client.getTokenSilently({ cacheMode })
        } finally {
          await showUser()
        }
      },
      async logout(...[how]: Parameters<Auth0Client['logout']>) {
        // Without it the provider asks the user, as any page could link to its sign-out.
        const hint = (await client.getIdTokenClaims())?.__raw
        await client.logout({ ...how, logoutParams: { ...how?.logoutParams, ...(hint && { id_token_hint: hint }) } })
        if (how?.openUrl === false) setState((before) => ({ ...before, user: undefined }))
      },
    }
  }, [client])

  return { ...state, ...actions }
}

async function start(client: Auth0Client, onReturn: (path: string | undefined) => void): Promise<User | undefined> {
  if (!isCallback()) {
    await client.checkSession()
    return client.getUser()
  }
  const { appState } = await client.handleRedirectCallback<{ returnTo?: string }>()
  const user = await client.getUser()
  onReturn(appState?.returnTo)
  return user
}
