import type { CurrentUser } from '@lectern/contract/users.ts'
import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useInsertionEffect, useMemo, useState } from 'react'
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router'
import { ApiProvider } from '../lib/api/api.ts'
import { CallError } from '../lib/api/call-error.ts'
import { type Api, createApi } from '../lib/api/fetch.ts'
import { createQueryClient, invalidateBelow, q } from '../lib/api/query.ts'
import { forgetKnownMember } from '../lib/known-member.ts'
import { identify } from '../lib/monitoring/monitoring.ts'
import { LimitContext, PermissionsContext, useSession } from '../lib/session.ts'
import {
  organizationParameter,
  readTabOrganization,
  storeTabOrganization,
  TabOrganizationContext,
  useKnownMember,
} from '../lib/tab-organization.ts'
import { useToast } from '../ui/feedback/toast.tsx'
import { useFocusOnNewPage } from '../ui/layout/page-focus.ts'

/** The calls of one person in one organization, and what they have read. */
interface Desk {
  api: Api
  client: QueryClient
  personId: string | null
  // Where its calls belong; also those that are repeated after another desk has taken its place.
  place: { organization: string | undefined; isLost: boolean }
  turn: number
}

/** Keeps what was read for one person in one organization from showing for another. */
export function Data({ children }: { children: ReactNode }) {
  const desk = useDesk()
  useStoredTokenLogin(desk.client)
  useMonitoredPerson()
  const tab = useMemo(() => ({ id: desk.place.organization, release: desk.release }), [desk.place.organization, desk.release])
  return (
    <TabOrganizationContext value={tab}>
      <ApiProvider value={desk.api}>
        {/* A new client draws everything anew: otherwise the screen would go on reading the cache of before. */}
        <QueryClientProvider key={desk.turn} client={desk.client}>
          <OwnPermissions>{children}</OwnPermissions>
        </QueryClientProvider>
        <PageFocus turn={desk.turn} />
      </ApiProvider>
    </TabOrganizationContext>
  )
}

function useDesk() {
  const { tokens, user } = useSession()
  const showToast = useToast()
  const named = useNamedOrganization()
  const [desk, setDesk] = useState<Desk>(() => open(user?.id ?? null, undefined, 0))
  const { personId } = desk
  const { organization } = desk.place

  function open(personId: string | null, organization: string | undefined, turn: number): Desk {
    const place = { organization, isLost: false }
    const api = createApi({ tokens, organization: () => place.organization })
    const listener = {
      // A tab keeps the first organization that the server names.
      onRead(name: string, reply: unknown) {
        if (name !== 'getCurrentUser' || place.organization !== undefined) return
        const [first] = (reply as CurrentUser).organizationId
        place.organization = first
        setDesk((now) => ({ ...now }))
      },
      // These two are refused where the person does not belong to the organization that they name.
      onFailedRead(name: string, error: Error) {
        const isForeign = error instanceof CallError && error.status === 404 && place.organization !== undefined && !place.isLost
        if (!isForeign || (name !== 'getCurrentUser' && name !== 'listRegistrationTasks')) return
        place.isLost = true
        release()
        showToast({ title: 'You do not belong to that organization. Your own is shown.', bad: true })
      },
    }
    return {
      api,
      client: createQueryClient(api, (error) => showToast({ title: error.message, bad: true }), listener),
      personId,
      place,
      turn,
    }
  }
  const release = useCallback(() => {
    forgetKnownMember()
    storeTabOrganization('', '')
    setDesk(({ personId, turn }) => open(personId, undefined, turn + 1))
  }, [])

  if (user && personId === null) {
    // No call was made yet.
    desk.place.organization = named ?? readTabOrganization(user.id)
    setDesk({ ...desk, personId: user.id })
  } else if (user && user.id !== personId) setDesk(open(user.id, named ?? readTabOrganization(user.id), desk.turn + 1))
  else if (user && named !== null && named !== organization) setDesk(open(user.id, named, desk.turn + 1))

  useEffect(() => {
    if (personId !== null && organization !== undefined) storeTabOrganization(personId, organization)
  }, [personId, organization])
  useTakenName(named, desk)
  return { ...desk, release }
}

function useNamedOrganization(): string | null {
  const { search } = useLocation()
  return new URLSearchParams(search).get(organizationParameter) || null
}

/** Removes the organization's name from the address once the tab has taken it over. */
function useTakenName(named: string | null, { personId, place }: Desk): void {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const isTaken = personId !== null && named !== null && named === place.organization
  const take = useEffectEvent(() => {
    const rest = new URLSearchParams(search)
    rest.delete(organizationParameter)
    void navigate({ pathname, search: String(rest) }, { replace: true, state })
  })
  useEffect(() => {
    if (isTaken) take()
  }, [isTaken])
}

// After the page, so that its heading exists. A step of a wizard is a page of its own, and so is the same page for another organization;
// other parts of the query are filters of a list.
function PageFocus({ turn }: { turn: number }) {
  const { pathname, search } = useLocation()
  const step = new URLSearchParams(search).get('step') ?? ''
  useFocusOnNewPage(`${pathname} ${step} ${turn}`, useNavigationType() === NavigationType.Replace)
  return null
}

// Above the dialogs, which ask for permissions as pages do.
function OwnPermissions({ children }: { children: ReactNode }) {
  const known = useKnownMember()
  const claimed = useSession().user?.permissions.join()
  const { data, refetch } = useQuery({ ...q('getCurrentUser', {}), enabled: false })
  const follow = useEffectEvent(() => data && refetch())
  // A renewed token may have other permissions (ACC-12).
  useEffect(() => void (claimed && follow()), [claimed])
  const person = data ?? known
  return (
    <PermissionsContext value={person?.permissions ?? null}>
      <LimitContext value={person?.isLimitedToZones ?? false}>{children}</LimitContext>
    </PermissionsContext>
  )
}

/** Makes reads of device management stale after a login by the stored token (spec §4). */
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
  // Done before a page that breaks at its first render reports its error.
  useInsertionEffect(() => identify(id === undefined ? null : { id, email: email ?? '', nickname }), [id, email, nickname])
}
