import './top-bar.css'
import { ChevronDown, ExternalLink, Menu, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { matchPath, NavLink, useLocation } from 'react-router'
import { Wordmark } from '../bars.tsx'
import { IconButton } from '../button/icon-button.tsx'
import { Ellipsis } from '../feedback/ellipsis.tsx'
import { useMediaQuery } from '../media-query.ts'
import { ThemeSwitch } from '../theme-switch.tsx'
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
  end?: ReactNode
}

export function TopBar({ home, nav = [], more = [], account, organization, end }: TopBarProps) {
  useOwnFrame()
  const scrolled = useScrolled()
  const folded = useMediaQuery('(width < 60rem)')
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

/** A list of links that opens below its button; leaving it, Escape and a navigation close it. */
function MoreMenu({ entries }: { entries: readonly Entry[] }) {
  const { pathname } = useLocation()
  const [open, setOpen] = useFolding()
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const isCurrent = entries.some(({ to }) => matchPath({ path: to, end: false }, pathname))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it watches the focus of what is inside
    <div
      className="more"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false)
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape' && open) button.current?.focus()
      }}
    >
      <button
        ref={button}
        type="button"
        className="top-nav-entry"
        aria-current={isCurrent || undefined}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        More
        <ChevronDown size={15} />
      </button>
      {open && (
        <ul id={id} className="more-menu">
          {entries.map((entry) => (
            <li key={entry.to}>
              <NavLink to={entry.to} className="more-menu-entry">
                {entry.label}
              </NavLink>
            </li>
          ))}
        </ul>
      )}
    </div>
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

/** Closes after a navigation, and with Escape. */
function useFolding() {
  const [open, setOpen] = useState(false)
  const { key } = useLocation()
  useEffect(() => setOpen(false), [key])
  useEffect(() => {
    if (!open) return
    const closeOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [open])
  return [open, setOpen] as const
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
