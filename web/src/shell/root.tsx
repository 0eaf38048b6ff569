import type { PublicSettings } from '@lectern/contract/system.ts'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useInsertionEffect, useMemo, useState } from 'react'
import { NavigationType, Outlet, useLoaderData, useLocation, useNavigate, useNavigationType } from 'react-router'
import { ApiProvider } from '../lib/api/api.ts'
import { createApi } from '../lib/api/fetch.ts'
import { createQueryClient, invalidateBelow } from '../lib/api/query.ts'
import { FeatureFlagsContext, readFeatureFlags } from '../lib/feature-flags.ts'
import { identify, startMonitoring } from '../lib/monitoring/monitoring.ts'
import { useSession } from '../lib/session.ts'
import { SettingsContext } from '../lib/settings.ts'
import { Session } from '../session/session.tsx'
import { DialogProvider } from '../ui/dialog/dialog.tsx'
import { ToastProvider, useToast } from '../ui/feedback/toast.tsx'
import { useFocusOnNewPage } from '../ui/layout/page-focus.ts'
import { lazyExtra } from '../ui/lazy.tsx'

const CutTexts = lazyExtra(async () => (await import('../ui/layout/cut-texts.tsx')).CutTexts)

// From the page, where the server has put them; asked for where something has taken them out.
export async function loadSettings(): Promise<PublicSettings> {
  const inPage = document.getElementById('settings')?.textContent
  const settings = inPage ? (JSON.parse(inPage) as PublicSettings) : await createApi({}).call('getPublicSettings', {})
  startMonitoring(settings.sentryDsn)
  return settings
}

export function Root() {
  const settings = useLoaderData<typeof loadSettings>()
  const navigate = useNavigate()
  const [flags] = useState(() => readFeatureFlags(import.meta.env.VITE_FEATURE_FLAGS ?? '', settings.featureFlags))
  const onReturn = useCallback((path: string) => navigate(path, { replace: true }), [navigate])
  return (
    <SettingsContext value={settings}>
      <FeatureFlagsContext value={flags}>
        <Session settings={settings} onReturn={onReturn}>
          <ToastProvider>
            <Data>
              <DialogProvider>
                <Outlet />
                <PageFocus />
                <CutTexts />
              </DialogProvider>
            </Data>
          </ToastProvider>
        </Session>
      </FeatureFlagsContext>
    </SettingsContext>
  )
}

// After the page, so that its heading is there. A step of a wizard is a page; other parts of the query are filters of a list.
function PageFocus() {
  const { pathname, search } = useLocation()
  const step = new URLSearchParams(search).get('step') ?? ''
  useFocusOnNewPage(`${pathname} ${step}`, useNavigationType() === NavigationType.Replace)
  return null
}

function Data({ children }: { children: ReactNode }) {
  const { tokens, user } = useSession()
  const showToast = useToast()
  const api = useMemo(() => createApi({ tokens }), [tokens])
  const create = () => createQueryClient(api, (error) => showToast({ title: error.message, bad: true }))
  const [{ client, personId, turn }, setCache] = useState(() => ({ client: create(), personId: user?.id ?? null, turn: 0 }))
  if (user && user.id !== personId)
    setCache(personId === null ? { client, personId: user.id, turn } : { client: create(), personId: user.id, turn: turn + 1 })
  useStoredTokenLogin(client)
  useMonitoredPerson()
  return (
    <ApiProvider value={api}>
      {/* What is on the screen would go on reading the cache of the person before. */}
      <QueryClientProvider key={turn} client={client}>
        {children}
      </QueryClientProvider>
    </ApiProvider>
  )
}

/** Makes the device management reads stale after a login from the stored token (spec §4). */
function useStoredTokenLogin(client: QueryClient) {
  const { isStoredToken, user } = useSession()
  const token = isStoredToken ? user?.token : undefined
  useEffect(() => {
    if (token !== undefined) void invalidateBelow(client, '/api/codedm/')
  }, [client, token])
}

function useMonitoredPerson() {
  const { user } = useSession()
  const { id, email, nickname } = user ?? {}
  // Before a page that breaks as it is first shown reports its error.
  useInsertionEffect(() => identify(id === undefined ? null : { id, email: email ?? '', nickname }), [id, email, nickname])
}
