// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { SettingsContext } from '../lib/settings.ts'
import { InstallApp } from './install-app.tsx'

afterEach(cleanup)

function wordsWith(domain: string): string {
  const settings = {
    providerName: 'Quiet Zone Devices',
    auth: { domain, clientId: 'lectern-web', audience: 'urn:lectern:api' },
    featureFlags: '',
    accountUrl: 'https://account.example/',
    supportPhone: '+1 800 555 0142',
    brands: ['Quiet Zone Devices', 'Lectern'] as [string, string],
    localToken: false,
    sentryDsn: null,
    largePublish: { zones: 10, readers: 500 },
  }
  render(
    <MemoryRouter>
      <SettingsContext value={settings}>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { queryFn: () => ({ manifest: null }) } } })}>
          <InstallApp />
        </QueryClientProvider>
      </SettingsContext>
    </MemoryRouter>,
  )
  return screen.getByRole('region', { name: 'Install the app' }).textContent ?? ''
}

test("[DML-16] the domain to whitelist is the portal's own; an identity provider elsewhere is named for people's PCs", () => {
  const words = wordsWith('login.example')
  expect(words).toContain(`whitelist the vendor's data domain, ${location.host}.`)
  expect(words).toContain('also need login.example, on their own PCs.')
})

test('an identity provider at the same host is not named again', () => {
  expect(wordsWith(location.origin)).not.toContain('on their own PCs')
})
