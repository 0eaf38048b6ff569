import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'

/** The page's content, where the skip link leads. */
export function Page({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <main id="main" className={classNames('page', className)} tabIndex={-1}>
      {children}
    </main>
  )
}

/** The first thing the Tab key reaches: jumps over the bars. */
export function SkipLink() {
  return (
    <a className="skip-link" href="#main">
      Skip to content
    </a>
  )
}

type PageHeadProps = {
  title: ReactNode
  intro?: ReactNode
  /** Where the page hangs, above the title. */
  trail?: ReactNode
  actions?: ReactNode
}

/** Title, one sentence about the page, and its actions. */
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
