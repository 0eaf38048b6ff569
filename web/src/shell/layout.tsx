import { counted } from '@lectern/contract/text/numbers.ts'
import type { CurrentUser } from '@lectern/contract/users.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, ScrollRestoration, useLocation } from 'react-router'
import { q } from '../lib/api/query.ts'
import { type Screens, ScreensContext, useScreens } from '../lib/screens.ts'
import { useSession } from '../lib/session.ts'
import { useSettings } from '../lib/settings.ts'
import { paths, patterns } from '../paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Page, SkipLink } from '../ui/layout/page.tsx'
import { Strip } from '../ui/layout/strip.tsx'
import { BarOrganization, TopBar } from '../ui/layout/top-bar.tsx'
import { areas, built, deviceManagement, isDeviceManagement, more, offered } from './navigation.ts'
import { Screen, useScreenHandle } from './screen.tsx'

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

/** Null until the name is known; the counts follow. */
function OrganizationSummary({ organizationId }: { organizationId: string }) {
  const params = { organizationId }
  const { data: organization } = useQuery(q('getOrganization', { params }))
  const { data: zones } = useQuery(q('listZones', { params }))
  const { data: totals } = useQuery(q('getDeviceTotals', { params }))
  if (!organization) return null
  const parts = [zones && counted(zones.length, 'zone'), totals && counted(totals.allDevices, 'reader')]
  return <BarOrganization name={organization.name || organization.id} detail={parts.filter(Boolean).join(' · ')} />
}

function ProfileLink() {
  const { user } = useSession()
  if (!user) return null
  const name = user.name || user.email
  return (
    <Link to={paths.profile()} className="profile-link">
      <Picture picture={user.picture} name={name} />
      <span className="sr-only">Profile, {name}</span>
    </Link>
  )
}

function Picture({ picture, name }: { picture: string | undefined; name: string }) {
  const [broken, setBroken] = useState(false)
  // The embedded provider draws initials where there is no photograph; ours are in our own typeface.
  if (!picture || broken || picture.startsWith('data:')) return <Avatar name={name} size="large" />
  return (
    <img
      src={picture}
      alt=""
      width={40}
      height={40}
      className="avatar avatar-large object-cover"
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
    />
  )
}
