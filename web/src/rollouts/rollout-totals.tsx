import type { ReaderState, RolloutCounts } from '@lectern/contract/rollouts.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { share } from '../lib/share.ts'
import { ProgressBar } from '../ui/feedback/progress-bar.tsx'
import { Glyph } from '../ui/feedback/status.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { readerLook } from './rollout-words.ts'

const always: ReaderState[] = ['applied', 'downloading', 'waiting', 'failed', 'offline']

/** How many readers are in each state, and the same as a bar. */
export function RolloutTotals({ counts, noun }: { counts: RolloutCounts; noun: string }) {
  const states: ReaderState[] = counts.replaced > 0 ? [...always, 'replaced'] : always
  const quarters = counts.readers >= 4 ? [0, 1, 2, 3].map((quarter) => Math.floor((counts.readers * quarter) / 4)) : [0]
  return (
    <Panel flush className="rollout-totals" aria-label="Progress">
      <dl className="rollout-counts">
        {states.map((state) => (
          <div key={state}>
            <dt>
              <Glyph kind={readerLook[state].kind} />
              {readerLook[state].word}
            </dt>
            <dd>
              {formatNumber(counts[state])} <span>{share(counts[state], counts.readers)}</span>
            </dd>
          </div>
        ))}
      </dl>
      <div className="rollout-bar">
        <ProgressBar size="tall" counts={counts} label={`${formatNumber(counts.readers)} ${noun}`} />
        <div className="rollout-scale" aria-hidden="true">
          {quarters.map((count) => (
            <span key={count}>{formatNumber(count)}</span>
          ))}
          <span>
            {formatNumber(counts.readers)} {noun}
          </span>
        </div>
      </div>
    </Panel>
  )
}
