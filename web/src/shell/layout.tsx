import type { CurrentUser } from '@lectern/contract/users.ts'
import { useQuery } from '@tanstack/react-query'
import { ScrollRestoration, useLocation } from 'react-router'
import { q } from '../lib/api/query.ts'
import { type Screens, ScreensContext, useScreens } from '../lib/screens.ts'
import { useSettings } from '../lib/settings.ts'
import { patterns } from '../paths.ts'
import { ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Page, SkipLink } from '../ui/layout/page.tsx'
import { Strip } from '../ui/layout/strip.tsx'
import { BarOrganization, TopBar } from '../ui/layout/top-bar.tsx'
import { areas, built, deviceManagement, isDeviceManagement, more, offered } from './navigation.ts'
import { OrganizationSummary } from './organization-summary.tsx'
import { ProfileLink } from './profile-link.tsx'
import { Screen, useScreenHandle } from './screen.tsx'

/** The frame of every guarded screen: bar, strip of the area, and the screen itself. */
export function Layout({ screens }: { screens: Screens }) {
  const { data: person, error, refetch, isFetching } = useQuery(q('getCurrentUser', {}))
  return (
    <ScreensContext value={screens}>
      <SkipLink />
      <Bar person={person} />
      {person && person.organizationId.length > 0 && <AreaStrip />}
      {person ? (
        <Screen person={person} />
      ) : (
        error && (
          <Page>
            <ErrorPanel
              message="Your account could not be loaded"
              detail={error.message}
              onRetry={() => void refetch()}
              retrying={isFetching}
            />
          </Page>
        )
      )}
      <ScrollRestoration />
    </ScreensContext>
  )
}

function Bar({ person }: { person: CurrentUser | undefined }) {
  const find = useScreens()
  const { pathname } = useLocation()
  const { providerName, accountUrl } = useSettings()
  const [organizationId] = person?.organizationId ?? []
  const isStaff = find(patterns.organizations) !== null
  return (
    <TopBar
      nav={offered(areas, find)}
      more={offered(more, find)}
      account={isDeviceManagement(pathname) ? { href: accountUrl, label: `${providerName} account` } : undefined}
      organization={
        organizationId !== undefined ? (
          <OrganizationSummary organizationId={organizationId} />
        ) : (
          person && isStaff && <BarOrganization name={providerName} />
        )
      }
      end={<ProfileLink />}
    />
  )
}

function AreaStrip() {
  const find = useScreens()
  const { pathname } = useLocation()
  const { ownStrip } = useScreenHandle()
  if (!isDeviceManagement(pathname) || ownStrip) return null
  return <Strip label="Device Management" tabs={built(deviceManagement, find)} />
}
