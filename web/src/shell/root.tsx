import type { PublicSettings } from '@lectern/contract/system.ts'
import { useCallback, useState } from 'react'
import { Outlet, useLoaderData, useNavigate } from 'react-router'
import { createApi } from '../lib/api/fetch.ts'
import { FeatureFlagsContext, readFeatureFlags } from '../lib/feature-flags.ts'
import { startMonitoring } from '../lib/monitoring/monitoring.ts'
import { SettingsContext } from '../lib/settings.ts'
import { Session } from '../session/session.tsx'
import { DialogProvider } from '../ui/dialog/dialog.tsx'
import { ToastProvider } from '../ui/feedback/toast.tsx'
import { lazyExtra } from '../ui/lazy.tsx'
import { Data } from './data.tsx'

const CutTexts = lazyExtra(async () => (await import('../ui/layout/cut-texts.tsx')).CutTexts)

// Read from the page, where the server has put them; fetched where something has removed them.
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
                <CutTexts />
              </DialogProvider>
            </Data>
          </ToastProvider>
        </Session>
      </FeatureFlagsContext>
    </SettingsContext>
  )
}
