import type { RolloutDetail, RolloutReader } from '@lectern/contract/rollouts.ts'
import { Glyph } from '../ui/feedback/status.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ReaderLink } from './reader-link.tsx'
import { formatSecond, readerLook } from './rollout-words.ts'

/** What happened last, and as of when. Says so where it is not live at the moment. */
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
              <ReaderLink serialNumber={event.serialNumber} />
              <span>{describeEvent(event)}</span>
              <em>{event.zone}</em>
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
