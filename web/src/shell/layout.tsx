import { useQuery } from '@tanstack/react-query'
import { Outlet, ScrollRestoration, useLocation, useMatches } from 'react-router'
import { ActiveOrganizationContext } from '../lib/active-organization.ts'
import { q } from '../lib/query.ts'
import { useSession } from '../lib/session.ts'
import { ErrorPanel } from '../ui/empty-state.tsx'
import { Page, SkipLink } from '../ui/page.tsx'
import { Strip } from '../ui/strip.tsx'
import { TopBar } from '../ui/top-bar.tsx'
import { MessagePage } from './message-page.tsx'
import { areas, deviceManagement, offered } from './navigation.ts'
import { useOrganizationSummary } from './organization-summary.ts'
import { Profile } from './profile-menu.tsx'

/** What a route may say of its screen. */
export interface ScreenHandle {
  /** Permissions without any of which the screen is not shown (spec §6). */
  needs?: readonly string[]
  /** The screen has a bar of its own in the strip's place, as wizards do. */
  ownStrip?: boolean
}

/** The frame of every guarded screen: bar, strip of the area, and the screen of the active organization. */
export function Layout({ screens }: { screens: ReadonlySet<string> }) {
  const { data: person, error, refetch, isFetching } = useQuery(q('getCurrentUser', {}))
  const [organizationId] = person?.organizationId ?? []
  return (
    <>
      <SkipLink />
      {organizationId === undefined ? <Bar screens={screens} /> : <OrganizationBar screens={screens} organizationId={organizationId} />}
      {organizationId !== undefined && <AreaStrip screens={screens} />}
      {organizationId !== undefined ? (
        <ActiveOrganizationContext value={organizationId}>
          <Screen />
        </ActiveOrganizationContext>
      ) : person ? (
        <NoOrganization email={person.email} />
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
    </>
  )
}

type BarProps = { screens: ReadonlySet<string>; organization?: { name: string; detail?: string } }

function Bar({ screens, organization }: BarProps) {
  const { user } = useSession()
  return (
    <TopBar
      nav={offered(areas, screens, user?.permissions ?? [])}
      organization={organization}
      end={<Profile to={screens.has('/profile') ? '/profile' : null} />}
    />
  )
}

function OrganizationBar({ screens, organizationId }: { screens: ReadonlySet<string>; organizationId: string }) {
  return <Bar screens={screens} organization={useOrganizationSummary(organizationId)} />
}

function AreaStrip({ screens }: { screens: ReadonlySet<string> }) {
  const { user } = useSession()
  const { pathname } = useLocation()
  const { ownStrip } = useScreenHandle()
  if (!/^\/codedm(\/|$)/.test(pathname) || ownStrip) return null
  return <Strip label="Device Management" tabs={offered(deviceManagement, screens, user?.permissions ?? [])} />
}

function Screen() {
  const { user } = useSession()
  const { needs = [] } = useScreenHandle()
  const missing = needs.filter((permission) => !user?.permissions.includes(permission))
  if (missing.length === 0) return <Outlet />
  return (
    <MessagePage title="Not allowed">
      <p>This page needs the permission {missing.join(' and ')}. Ask whoever manages your organization's accounts for it.</p>
    </MessagePage>
  )
}

function useScreenHandle(): ScreenHandle {
  return Object.assign({}, ...useMatches().map(({ handle }) => handle as ScreenHandle | undefined))
}

function NoOrganization({ email }: { email: string }) {
  return (
    <MessagePage title="No organization yet">
      <p>
        You are signed in as <b>{email}</b>, but your account belongs to no organization. Ask a colleague to add you to theirs.
      </p>
    </MessagePage>
  )
}
