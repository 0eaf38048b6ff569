import './top-bar.css'
import { ChevronDown, ExternalLink, Menu, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { matchPath, NavLink, useLocation } from 'react-router'
import { Wordmark } from '../bars.tsx'
import { IconButton } from '../button/icon-button.tsx'
import { Ellipsis } from '../feedback/ellipsis.tsx'
import { useMediaQuery, useNarrow } from '../media-query.ts'
import { ThemeSwitch } from '../theme-switch.tsx'
import { BarMenu, useFolding } from './bar-menu.tsx'
import { useOwnFrame } from './page.tsx'

interface Entry {
  to: string
  label: string
}
interface Account {
  href: string
  label: string
}

interface TopBarProps {
  home?: string
  nav?: readonly Entry[]
  more?: readonly Entry[]
  account?: Account | undefined
  organization?: ReactNode
  /** For the menu of narrow screens, whose bar has no room for the organization. */
  organizations?: ReactNode
  end?: ReactNode
}

export function TopBar({ home, nav = [], more = [], account, organization, organizations, end }: TopBarProps) {
  useOwnFrame()
  const scrolled = useScrolled()
  const folded = useMediaQuery('(width < 60rem)')
  const isNarrow = useNarrow()
  const [open, setOpen] = useFolding()
  const hasNav = nav.length > 0 || more.length > 0
  return (
    <header className="top-bar" data-scrolled={scrolled || undefined}>
      <div className="top-bar-inner">
        <Wordmark to={home} />
        {hasNav && (
          <nav id="top-nav" className="top-nav" aria-label="Main" data-open={open || undefined}>
            {[...nav, ...(folded ? more : [])].map((entry) => (
              <NavLink key={entry.to} to={entry.to} className="top-nav-entry">
                {entry.label}
              </NavLink>
            ))}
            {more.length > 0 && !folded && <MoreMenu entries={more} />}
            {isNarrow && organizations}
            {account && folded && <AccountLink {...account} className="top-nav-entry" />}
            <ThemeSwitch />
          </nav>
        )}
        <div className="top-bar-end">
          {account && !folded && <AccountLink {...account} className="top-bar-account" />}
          {organization}
          <ThemeSwitch />
          {end}
          {hasNav && (
            <IconButton
              icon={open ? X : Menu}
              label={open ? 'Close menu' : 'Open menu'}
              className="top-bar-menu"
              aria-expanded={open}
              aria-controls="top-nav"
              onClick={() => setOpen(!open)}
            />
          )}
        </div>
      </div>
    </header>
  )
}

export function BarOrganization({ name, detail }: { name: string; detail?: string }) {
  return (
    <div className="top-bar-organization">
      <b>
        <Ellipsis>{name}</Ellipsis>
      </b>
      {detail && <span>{detail}</span>}
    </div>
  )
}

function MoreMenu({ entries }: { entries: readonly Entry[] }) {
  const { pathname } = useLocation()
  const isCurrent = entries.some(({ to }) => matchPath({ path: to, end: false }, pathname))
  return (
    <BarMenu
      className="top-nav-entry"
      isCurrent={isCurrent}
      entries={entries.map(({ to, label }) => (
        <NavLink key={to} to={to} className="more-menu-entry">
          {label}
        </NavLink>
      ))}
    >
      More
      <ChevronDown size={15} />
    </BarMenu>
  )
}

function AccountLink({ href, label, className }: Account & { className: string }) {
  return (
    <a href={href} target="_blank" rel="noopener" className={className} title={`${label} (opens in a new tab)`}>
      <span>{label}</span>
      <ExternalLink size={16} />
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}

function useScrolled() {
  const [scrolled, setScrolled] = useState(false)
  useEffect(() => {
    const look = () => setScrolled(scrollY > 4)
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  return scrolled
}
