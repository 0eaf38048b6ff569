import { Outlet, useMatches } from 'react-router'
import { ActiveOrganizationContext } from '../lib/active-organization.ts'
import { isSwitchedOff, missingPermissions, needsOrganization, type ScreenHandle, useHoldings, useScreens } from '../lib/screens.ts'
import { useSession } from '../lib/session.ts'
import { useSettings } from '../lib/settings.ts'
import { paths, patterns } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { MessagePage } from './message-page.tsx'
import { NotFound } from './not-found.tsx'

export function useScreenHandle(): ScreenHandle {
  return Object.assign({}, ...useMatches().map(({ handle }) => handle as ScreenHandle | undefined))
}

/** The matched route's screen for the active organization, or why it is not shown. */
export function Screen({ organizationId }: { organizationId: string | null }) {
  const handle = useScreenHandle()
  const holdings = useHoldings()
  const missing = missingPermissions(handle, holdings)
  if (isSwitchedOff(handle, holdings)) return <NotFound />
  if (organizationId === null && needsOrganization(handle, holdings)) return <NoOrganization />
  if (missing.length > 0) return <NotAllowed missing={missing} />
  return (
    <ActiveOrganizationContext value={organizationId}>
      <Outlet />
    </ActiveOrganizationContext>
  )
}

function NotAllowed({ missing }: { missing: readonly string[] }) {
  return (
    <MessagePage title="Not allowed">
      <p>This page needs the permission {missing.join(' and ')}. Ask whoever manages your organization's accounts for it.</p>
    </MessagePage>
  )
}

// The vendor's staff have no organization; other users get theirs when they register.
function NoOrganization() {
  const { user } = useSession()
  const { providerName } = useSettings()
  const isStaff = useScreens()(patterns.organizations) !== null
  return (
    <MessagePage
      title={isStaff ? 'No organization' : 'No organization yet'}
      actions={
        isStaff && (
          <ButtonLink to={paths.organizations()} variant="primary">
            All Organizations
          </ButtonLink>
        )
      }
    >
      {isStaff ? (
        <>
          <p>This page is about one customer's organization and its readers.</p>
          <p>Staff of {providerName} belong to no organization.</p>
        </>
      ) : (
        <p>
          You are signed in as <b>{user?.email}</b>, but your account belongs to no organization. Ask a colleague to add you to theirs.
        </p>
      )}
    </MessagePage>
  )
}
