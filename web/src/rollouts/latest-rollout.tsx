import '../ui/button/button.css'
import './latest-rollout.css'
import type { Rollout } from '@lectern/contract/rollouts/rollouts.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { formatMinute } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { ProgressBar } from '../ui/feedback/progress-bar.tsx'
import { useQueryProblem } from '../ui/feedback/query-states.tsx'
import { Glyph } from '../ui/feedback/status.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { describeState, formatZonesWithin, readerLook } from './rollout-words.ts'

const states = ['applied', 'downloading', 'waiting', 'failed', 'replaced'] as const
/** Milliseconds between reads. */
const refreshEvery = 15_000

/** Null before the first publish. */
export function LatestRollout() {
  const organizationId = useOrganization()
  const query = { PageNumber: 0, PageSize: 1 }
  const rollouts = useQuery({ ...q('listRollouts', { params: { organizationId }, query }), refetchInterval: refreshEvery })
  const problem = useQueryProblem(rollouts, 'Error loading the latest rollout')
  const latest = rollouts.data?.rolloutList[0]
  return latest ? <Latest rollout={latest} problem={problem} /> : null
}

function Latest({ rollout, problem }: { rollout: Rollout; problem: ReactNode }) {
  const { id, name, title, counts, publishedAt } = rollout
  const label = rollout.name ?? rollout.title
  // Silent readers are shown as waiting.
  const shown = { ...counts, waiting: counts.waiting + counts.silent, silent: 0 }
  return (
    <Panel title="Latest rollout">
      {problem}
      <p className="mb-3 text-ink-2 wrap-anywhere">
        <b className="font-semibold text-ink">{label}</b>
        {name !== undefined && `, ${title}`} in {formatZonesWithin(rollout)}. {describeState(rollout).word}, published{' '}
        {formatMinute(publishedAt)}.
      </p>
      <ProgressBar counts={shown} label={label} />
      <dl className="rollout-mini">
        {states
          .filter((one) => one !== 'replaced' || shown.replaced > 0)
          .map((one) => (
            <div key={one}>
              <dt>
                <Glyph kind={readerLook[one].kind} />
                {readerLook[one].word}
              </dt>
              <dd>{formatNumber(shown[one])}</dd>
            </div>
          ))}
      </dl>
      <Link className="link" to={paths.rollout({ id })}>
        Open rollout
      </Link>
    </Panel>
  )
}
