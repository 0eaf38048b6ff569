import './strip.css'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'

interface StripProps {
  label: string
  tabs: readonly { to: string; label: string; end?: boolean }[]
  end?: ReactNode
}

export function Strip({ label, tabs, end }: StripProps) {
  const inner = useRef<HTMLDivElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    const current = inner.current?.querySelector<HTMLElement>('[aria-current]')
    if (current && inner.current) inner.current.scrollLeft = current.offsetLeft - 16
  }, [pathname])
  return (
    <nav className="strip" aria-label={label}>
      <div className="strip-inner" ref={inner}>
        {tabs.map((tab) => (
          <NavLink key={tab.to} to={tab.to} end={tab.end} className="strip-tab">
            {tab.label}
          </NavLink>
        ))}
        {end && <span className="strip-end">{end}</span>}
      </div>
    </nav>
  )
}

export function BackStrip({ to, label, end }: { to: string; label: string; end?: ReactNode }) {
  return (
    <nav className="strip" aria-label="Back">
      <div className="strip-inner">
        <BackLink to={to}>{label}</BackLink>
        {end && <span className="strip-end">{end}</span>}
      </div>
    </nav>
  )
}

export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className="back-link" aria-label={children}>
      <ArrowLeft size={15} />
      <span>{children}</span>
    </Link>
  )
}
