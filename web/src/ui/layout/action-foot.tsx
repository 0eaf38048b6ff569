import type { ReactNode } from 'react'

type ActionFootProps = {
  /** At the left: Back. */
  back?: ReactNode
  /** What the primary action will do, to how many, when. */
  summary?: ReactNode
  /** At the right, the primary one last. */
  children: ReactNode
}

/** The foot of wizards and the builder, always on screen. Without `back`, the summary stands at the left. */
export function ActionFoot({ back, summary, children }: ActionFootProps) {
  const text = summary && <span className="action-foot-summary">{summary}</span>
  return (
    <footer className="action-foot">
      <div className="action-foot-inner">
        {back ?? text}
        <span className="action-foot-space" />
        {back && text}
        {children}
      </div>
    </footer>
  )
}
