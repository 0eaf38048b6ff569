import { Outlet, useMatches } from 'react-router'
import { ActiveOrganizationContext } from '../lib/active-organization.ts'
import {
  isSwitchedOff,
  missingPermissions,
  needsOrganization,
  needsWholeOrganization,
  type ScreenHandle,
  useHoldings,
} from '../lib/screens.ts'
import { lazyPart } from '../ui/lazy-part.tsx'

// Loaded when needed, as few users see these.
export const NotFound = lazyPart(async () => (await import('./not-found.tsx')).NotFound)
const NotAllowed = lazyPart(async () => (await import('./not-shown.tsx')).NotAllowed)
const BeyondZones = lazyPart(async () => (await import('./not-shown.tsx')).BeyondZones)
const NoOrganization = lazyPart(async () => (await import('./not-shown.tsx')).NoOrganization)

export function useScreenHandle(): ScreenHandle {
  return Object.assign({}, ...useMatches().map(({ handle }) => handle as ScreenHandle | undefined))
}

/** The screen of the matched route for the active organization, or why it is not shown. */
export function Screen({ organizationId }: { organizationId: string | null }) {
  const handle = useScreenHandle()
  const holdings = useHoldings()
  const missing = missingPermissions(handle, holdings)
  if (isSwitchedOff(handle, holdings)) return <NotFound />
  const isHomeless = organizationId === null && needsOrganization(handle, holdings)
  if (isHomeless) return <NoOrganization />
  if (needsWholeOrganization(handle, holdings)) return <BeyondZones organizationId={organizationId} />
  if (missing.length > 0) return <NotAllowed missing={missing} organizationId={organizationId} />
  return (
    <ActiveOrganizationContext value={organizationId}>
      <Outlet />
    </ActiveOrganizationContext>
  )
}
