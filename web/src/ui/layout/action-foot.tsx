import './action-foot.css'
import type { ReactNode } from 'react'

interface ActionFootProps {
  back?: ReactNode
  summary?: ReactNode
  children: ReactNode
}

/** The sticky foot of wizards and the builder. Without `back` the summary is on the left. */
export function ActionFoot({ back, summary, children }: ActionFootProps) {
  const text = summary && <span className="action-foot-summary">{summary}</span>
  return (
    <section className="action-foot" aria-label="Actions">
      <div className="action-foot-inner">
        {back ?? text}
        <span className="action-foot-space" />
        {back && text}
        {children}
      </div>
    </section>
  )
}
