import './top-bar.css'
import './page.css'
import { type ReactNode, useLayoutEffect } from 'react'
import { classNames } from '../class-names.ts'

export function Page({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <main id="main" className={classNames('page', className)} tabIndex={-1}>
      {children}
    </main>
  )
}

/** Called by what replaces the frame that came with the page (`shell/frame.tsx`). */
export function useOwnFrame(): void {
  useLayoutEffect(() => document.getElementById('frame')?.remove(), [])
}

export function SkipLink() {
  return (
    <a className="skip-link" href="#main">
      Skip to content
    </a>
  )
}

interface PageHeadProps {
  title: ReactNode
  intro?: ReactNode
  trail?: ReactNode
  actions?: ReactNode
}

export function PageHead({ title, intro, trail, actions }: PageHeadProps) {
  return (
    <div className="page-head">
      <div>
        {trail && <div className="page-head-trail">{trail}</div>}
        <h1>{title}</h1>
        {intro && <p className="page-head-intro">{intro}</p>}
      </div>
      {actions && <div className="page-head-actions">{actions}</div>}
    </div>
  )
}
