import './organization-switcher.css'
import type { CurrentUser } from '@lectern/contract/users.ts'
import { Check, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation, useMatches } from 'react-router'
import { organizationParameter } from '../lib/tab-organization.ts'
import { paths } from '../paths.ts'
import { Ellipsis } from '../ui/feedback/ellipsis.tsx'
import { BarMenu } from '../ui/layout/bar-menu.tsx'
import type { Choosing } from './data.tsx'

type Own = NonNullable<CurrentUser['organizations']>[number]

interface SwitcherProps {
  organizations: readonly Own[]
  // What the bar says of the active one.
  children: ReactNode
}

export function OrganizationSwitcher({ organizations, children }: SwitcherProps) {
  return (
    <BarMenu
      className="organization-switch"
      atEnd
      entries={toLinks(organizations, useHere()).map((link) => <ChoiceLink key={link.id} {...link} className="more-menu-entry" />)}
    >
      <span className="sr-only">Change the organization. Now: </span>
      {children}
      <ChevronsUpDown size={15} />
    </BarMenu>
  )
}

// For the menu of narrow screens.
export function OrganizationLinks({ organizations }: Pick<SwitcherProps, 'organizations'>) {
  return (
    <>
      <span className="organization-switch-label">Organization</span>
      {toLinks(organizations, useHere()).map((link) => (
        <ChoiceLink key={link.id} {...link} className="top-nav-entry" />
      ))}
    </>
  )
}

// The screen that is shown, where another organization has it too: not one of a record.
function useHere(): string {
  const { pathname } = useLocation()
  const hasRecord = useMatches().some(({ params }) => Object.keys(params).length > 0)
  return hasRecord ? paths.home() : pathname
}

const toLinks = ([active, ...others]: readonly Own[], here: string) =>
  [...(active ? [{ ...active, isActive: true }] : []), ...others.map((one) => ({ ...one, isActive: false }))]
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ id, name, role, isActive }) => ({
      id,
      name,
      role: role?.name,
      isActive,
      to: { pathname: here, search: `?${organizationParameter}=${id}` },
    }))

type ChoiceLinkProps = ReturnType<typeof toLinks>[number] & { className: string }

// Opened in a new tab it leaves the preference as it is.
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
