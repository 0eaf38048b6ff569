import { Menu, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { NavLink, useLocation } from 'react-router'
import { Wordmark } from './bars.tsx'
import { IconButton } from './icon-button.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

type TopBarProps = {
  home?: string
  nav?: readonly { to: string; label: string }[]
  organization?: { name: string; detail?: string }
  /** At the right end: the profile link. */
  end?: ReactNode
}

/** The bar over every page: name, areas, organization, theme, profile. Below 960 px the areas are behind a menu button. */
export function TopBar({ home, nav = [], organization, end }: TopBarProps) {
  const scrolled = useScrolled()
  const [open, setOpen] = useState(false)
  const { pathname } = useLocation()
  // The menu closes when it has led somewhere.
  useEffect(() => setOpen(false), [pathname])
  useEffect(() => {
    if (!open) return
    const closeOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [open])
  return (
    <header className="top-bar" data-scrolled={scrolled || undefined}>
      <div className="top-bar-inner">
        <Wordmark to={home} />
        {nav.length > 0 && (
          <nav id="top-nav" className="top-nav" aria-label="Main" data-open={open || undefined}>
            {nav.map((area) => (
              <NavLink key={area.to} to={area.to}>
                {area.label}
              </NavLink>
            ))}
            <ThemeSwitch />
          </nav>
        )}
        <div className="top-bar-end">
          {organization && (
            <div className="top-bar-organization">
              <b>{organization.name}</b>
              {organization.detail && <span>{organization.detail}</span>}
            </div>
          )}
          <ThemeSwitch />
          {end}
          {nav.length > 0 && (
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
