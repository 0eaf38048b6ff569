import { counted } from '@lectern/contract/text/numbers.ts'
import type { CurrentUser } from '@lectern/contract/users.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link, ScrollRestoration, useLocation } from 'react-router'
import { q } from '../lib/api/query.ts'
import { formatPerson } from '../lib/format.ts'
import { storeKnownMember } from '../lib/known-member.ts'
import { type Screens, ScreensContext, useScreens } from '../lib/screens.ts'
import { useSession } from '../lib/session.ts'
import { useSettings } from '../lib/settings.ts'
import { useKnownMember } from '../lib/tab-organization.ts'
import { paths, patterns } from '../paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Page, SkipLink } from '../ui/layout/page.tsx'
import { Strip } from '../ui/layout/strip.tsx'
import { BarOrganization, TopBar } from '../ui/layout/top-bar.tsx'
import { lazyExtra } from '../ui/lazy.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useFetchAhead } from './fetch-ahead.ts'
import { areas, isDeviceManagement, more, offered, tabsBeside } from './navigation.ts'
import { Screen, useScreenHandle } from './screen.tsx'

// Few people are in several organizations.
const OrganizationSwitcher = lazyPart(async () => (await import('./organization-switcher.tsx')).OrganizationSwitcher)

const SimulatedBanner = lazyExtra(async () => (await import('./simulated-banner.tsx')).SimulatedBanner)

export function Layout({ screens }: { screens: Screens }) {
  const { person, organizationId, error, refetch, isFetching } = useOwnOrganizations()
  useFetchAhead()
  // Counts as true until it is known, as it is for most: one entry that disappears is better than all appearing late.
  const hasOrganization = organizationId === undefined || organizationId.length > 0
  const offer = useMemo(() => ({ screens, hasOrganization }), [screens, hasOrganization])
  return (
    <ScreensContext value={offer}>
      <SkipLink />
      <Bar person={person} organizationId={organizationId} />
      {organizationId && <AreaStrip />}
      <SimulatedBanner organizationId={organizationId?.[0]} />
      {organizationId ? (
        <Screen organizationId={organizationId[0] ?? null} />
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

/** The organizations known from the last visit, until the server has listed them. */
function useOwnOrganizations() {
  const { user } = useSession()
  const userId = user?.id
  const { data, ...query } = useQuery(q('getCurrentUser', {}))
  const known = useKnownMember()
  useEffect(() => {
    if (!data || userId === undefined) return
    const { organizationId, permissions, isLimitedToZones } = data
    storeKnownMember({ userId, organizationId, permissions, isLimitedToZones })
  }, [data, userId])
  useRenewedClaims(query.refetch)
  const { organizationId } = data ?? known ?? {}
  return { ...query, person: data, organizationId }
}

// A token with other permissions, such as provider-wide ones, changes the server's response.
function useRenewedClaims(refetch: () => Promise<unknown>) {
  const claims = useSession().user?.permissions.join(' ')
  const latest = useRef(claims)
  useEffect(() => {
    if (claims === undefined || claims === latest.current) return
    latest.current = claims
    void refetch()
  }, [claims, refetch])
}

interface BarProps {
  person: CurrentUser | undefined
  organizationId: readonly string[] | undefined
}

function Bar({ person, organizationId }: BarProps) {
  const find = useScreens()
  const { pathname } = useLocation()
  const { providerName, accountUrl } = useSettings()
  const [active] = organizationId ?? []
  const isStaff = find(patterns.organizations) !== null
  const own = person?.organizations ?? []
  return (
    <TopBar
      nav={offered(areas, find)}
      more={offered(more, find)}
      account={isDeviceManagement(pathname) ? { href: accountUrl, label: `${providerName} account` } : undefined}
      organization={
        active !== undefined ? (
          own.length > 1 ? (
            <OrganizationSwitcher organizations={own}>
              <OrganizationSummary organizationId={active} />
            </OrganizationSwitcher>
          ) : (
            <OrganizationSummary organizationId={active} />
          )
        ) : (
          organizationId && isStaff && <BarOrganization name={providerName} />
        )
      }
      organizations={own.length > 1 && <OrganizationSwitcher organizations={own} />}
      end={<ProfileLink person={person} />}
    />
  )
}

function AreaStrip() {
  const find = useScreens()
  const { pathname } = useLocation()
  const { ownStrip } = useScreenHandle()
  const strip = ownStrip ? null : tabsBeside(pathname, find)
  return strip && <Strip {...strip} />
}

function OrganizationSummary({ organizationId }: { organizationId: string }) {
  const { data: summary } = useQuery(q('getOrganizationSummary', { params: { organizationId } }))
  if (!summary) return null
  const { name, zones, readers } = summary
  return <BarOrganization name={name || organizationId} detail={`${counted(zones, 'zone')} · ${counted(readers, 'reader')}`} />
}

function ProfileLink({ person }: { person: CurrentUser | undefined }) {
  const { user } = useSession()
  if (!user || !person) return null
  const name = formatPerson(person)
  return (
    <Link to={paths.profile()} className="profile-link">
      <Picture picture={user.picture} name={name} />
      <span className="sr-only">Profile, {name}</span>
    </Link>
  )
}

function Picture({ picture, name }: { picture: string | undefined; name: string }) {
  const [broken, setBroken] = useState(false)
  // The embedded provider draws initials where there is no photograph. Ours are in our own typeface.
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
