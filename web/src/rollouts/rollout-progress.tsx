import './rollout-progress.css'
import type { ReaderState, RolloutDetail, RolloutReader } from '@lectern/contract/rollouts/rollouts.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import { formatShare } from '../lib/share.ts'
import { Ellipsis } from '../ui/feedback/ellipsis.tsx'
import { ProgressBar } from '../ui/feedback/progress-bar.tsx'
import { Glyph } from '../ui/feedback/status.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { Scale } from '../ui/scale.tsx'
import { ReaderLink } from './rollout-marks.tsx'
import { formatSecond, readerLook } from './rollout-words.ts'

const always: ReaderState[] = ['applied', 'downloading', 'waiting', 'failed', 'silent']

export function RolloutTotals({ rollout: { counts, isSummed }, noun }: { rollout: RolloutDetail; noun: string }) {
  const known = isSummed ? always.filter((state) => state !== 'downloading' && state !== 'silent') : always
  const states: ReaderState[] = counts.replaced > 0 ? [...known, 'replaced'] : known
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
              {formatNumber(counts[state])} <span>{formatShare(counts[state], counts.readers)}</span>
            </dd>
          </div>
        ))}
      </dl>
      <div className="rollout-bar">
        <ProgressBar size="tall" counts={counts} label={counted(counts.readers, noun)} />
        <Scale total={counts.readers} label={counted(counts.readers, noun)} />
        {isSummed && counts.waiting > 0 && (
          <p className="mt-2 text-13 text-ink-2">Waiting counts readers that download or are silent; each zone below has its own.</p>
        )}
      </div>
    </Panel>
  )
}

/** `isLost`: the stream is interrupted. */
export function RolloutEvents({ rollout, isLost }: { rollout: RolloutDetail; isLost: boolean }) {
  return (
    <Panel
      flush
      title="Live events"
      actions={
        <span className="text-12 text-ink-2" role="status">
          {isLost ? `Connection lost, trying again. As of ${formatSecond(rollout.at)}` : `Updated ${formatSecond(rollout.at)}`}
        </span>
      }
    >
      {rollout.events.length === 0 ? (
        <p className="p-4 text-13 text-ink-2">Nothing has happened yet.</p>
      ) : (
        <ol className="rollout-events">
          {rollout.events.map((event) => (
            <li key={`${event.serialNumber} ${event.content.kind} ${event.content.name}`}>
              <time dateTime={event.at}>{event.at && formatSecond(event.at)}</time>
              <Glyph kind={readerLook[event.state].kind} />
              <ReaderLink reader={event} />
              <span>{describeEvent(event)}</span>
              <em>
                <Ellipsis>{event.zone ?? ''}</Ellipsis>
              </em>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function describeEvent({ state, content, percent, reason }: RolloutReader): string {
  if (state === 'downloading') return `downloading ${content.name}, ${percent ?? 0}%`
  if (state === 'failed') return reason ? `failed: ${reason}` : 'failed'
  return `applied ${content.name}`
}
