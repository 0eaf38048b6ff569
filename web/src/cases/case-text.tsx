import './case-text.css'
import type { CaseDetail } from '@lectern/contract/cases/cases.ts'
import { splitFollowUps } from '@lectern/contract/cases/follow-ups.ts'
import { formatMinute } from '../lib/format.ts'
import { Panel } from '../ui/layout/panel.tsx'

/** What was said first, and what followed, the oldest first. */
export function CaseText({ found: { description, contactEmail } }: { found: CaseDetail }) {
  const { first, followUps } = splitFollowUps(description)
  return (
    <Panel title="Description" flush>
      <article className="case-said">
        <h3 className="wrap-anywhere">{contactEmail ?? 'No contact'}</h3>
        <p>{first || 'No description'}</p>
      </article>
      {followUps.map(({ at, by, text }, index) => {
        const instant = `${at.replace(' ', 'T')}:00Z`
        return (
          <article key={index} className="case-said">
            <h3 className="wrap-anywhere">
              {by} <time dateTime={instant}>{formatMinute(instant)}</time>
            </h3>
            <p>{text}</p>
          </article>
        )
      })}
    </Panel>
  )
}
