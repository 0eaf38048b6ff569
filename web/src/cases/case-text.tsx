import './case-text.css'
import type { CaseDetail } from '@lectern/contract/cases/cases.ts'
import { followUpsOf } from '@lectern/contract/cases/follow-ups.ts'
import { minuteOf } from '../lib/calendar-day.ts'
import { Panel } from '../ui/layout/panel.tsx'

/** What was said first, and what followed, the oldest first. */
export function CaseText({ found: { description, contactEmail } }: { found: CaseDetail }) {
  const { first, followUps } = followUpsOf(description)
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
              {by} <time dateTime={instant}>{minuteOf(instant)}</time>
            </h3>
            <p>{text}</p>
          </article>
        )
      })}
    </Panel>
  )
}
