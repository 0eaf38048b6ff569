import './organization-switcher.css'
import type { CurrentUser } from '@lectern/contract/users.ts'
import { Check, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Link, useLocation, useMatches, useNavigate } from 'react-router'
import { useMutation } from '../lib/api/query.ts'
import { organizationParameter } from '../lib/tab-organization.ts'
import { paths } from '../paths.ts'
import { Ellipsis } from '../ui/feedback/ellipsis.tsx'
import { BarMenu } from '../ui/layout/bar-menu.tsx'

type Own = NonNullable<CurrentUser['organizations']>[number]

interface SwitcherProps {
  organizations: readonly Own[]
  /** The active organization in the bar; absent: only the links, for the menu of narrow screens. */
  children?: ReactNode
}

export function OrganizationSwitcher({ organizations, children }: SwitcherProps) {
  const choices = toChoices(organizations, useHere())
  const links = (className: string) => choices.map((choice) => <ChoiceLink key={choice.id} {...choice} className={className} />)
  if (!children)
    return (
      <>
        <span className="organization-switch-label">Organization</span>
        {links('top-nav-entry')}
      </>
    )
  return (
    <BarMenu className="organization-switch" entries={links('more-menu-entry')}>
      <Preference organizationId={organizations[0]?.id} />
      <span className="sr-only">Change the organization. Now: </span>
      {children}
      <ChevronsUpDown size={15} />
    </BarMenu>
  )
}

interface Choosing {
  isChosen: boolean
}

/**
 * New tabs begin with the organization that was chosen here, once this tab shows it. A link that was opened in a new tab changes nothing
 * for other tabs.
 */
function Preference({ organizationId }: { organizationId: string | undefined }) {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const { mutate: prefer } = useMutation('setActiveOrganization')
  const isChosen = (state as Choosing | null)?.isChosen === true && !new URLSearchParams(search).has(organizationParameter)
  const store = useEffectEvent((id: string) => {
    prefer({ body: { organizationId: id } })
    void navigate({ pathname, search }, { replace: true, state: null })
  })
  useEffect(() => {
    if (isChosen && organizationId !== undefined) store(organizationId)
  }, [isChosen, organizationId])
  return null
}

// The shown screen where the other organization has it too, which is not so for a record's.
function useHere(): string {
  const { pathname } = useLocation()
  const hasRecord = useMatches().some(({ params }) => Object.keys(params).length > 0)
  return hasRecord ? paths.home() : pathname
}

const toChoices = ([active, ...others]: readonly Own[], here: string) =>
  [...(active ? [{ ...active, isActive: true }] : []), ...others.map((one) => ({ ...one, isActive: false }))]
    .toSorted((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }))
    .map(({ id, name, role, isActive }) => ({
      id,
      name,
      role: role?.name,
      isActive,
      to: { pathname: here, search: `?${organizationParameter}=${id}` },
    }))

type ChoiceLinkProps = ReturnType<typeof toChoices>[number] & { className: string }

function ChoiceLink({ name, role, isActive, to, className }: ChoiceLinkProps) {
  return (
    <Link to={to} className={className} state={{ isChosen: true } satisfies Choosing} aria-current={isActive || undefined}>
      <span className="min-w-0 flex-1">
        <Ellipsis>{name}</Ellipsis>
        {role && <span className="block text-12 font-normal text-ink-3">{role}</span>}
      </span>
      {isActive && <Check size={15} className="ml-3 flex-none" />}
    </Link>
  )
}
