import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { useState } from 'react'
import { useOrganization } from '../../lib/active-organization.ts'
import { useNow } from '../../lib/now.ts'
import { useIsLimited } from '../../lib/session.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Status } from '../../ui/feedback/status.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { listModels } from '../content/choices.ts'
import { listTags } from '../many/chosen-zones.ts'
import { describeMany } from '../many/several-zones.tsx'
import { formatRuns, formatStart, listOutside } from '../select/planned-run.ts'
import { RunText } from '../select/run-text.tsx'
import { type ConfigZone, listPieces, type WizardState } from '../wizard-state.ts'
import { countReaders, type ZoneSummary } from '../zone-summary.ts'
import { HostNotices } from './host-notices.tsx'

const EarlierTimeNotice = lazyPart(async () => (await import('./earlier-time-notice.tsx')).EarlierTimeNotice, null)
const PartialTags = lazyPart(async () => (await import('../many/partial-tags.tsx')).PartialTags)

interface ReviewFactsProps {
  zone: ConfigZone
  state: WizardState
  summary: ZoneSummary | undefined
  blocked: string | undefined
  onTime: (updateTime: string) => void
}

export function ReviewFacts({ zone, state, summary, blocked, onTime }: ReviewFactsProps) {
  const readers = countReaders(summary, listModels(listPieces(state)))
  const organizationId = useOrganization()
  const tags = zone.many && listTags(zone.many)
  return (
    <>
      {tags && tags.length > 0 && <PartialTags organizationId={organizationId} chosen={tags} className="m-4" />}
      <HostNotices state={state} summary={summary} />
      <EarlierTimeNotice state={state} summary={summary} blocked={blocked} onTime={onTime} />
      {state.rolloutName && (
        <p className="border-b border-rule px-4 py-3 wrap-anywhere">
          Named <b>{state.rolloutName}</b>
        </p>
      )}
      <dl className="review-facts">
        <div>
          <dt>{zone.many ? 'Zones' : 'Zone'}</dt>
          <dd>
            <ZoneNames zone={zone} />
          </dd>
        </div>
        <div>
          <dt>Update time</dt>
          <dd>
            <Runs state={state} summary={summary} />
          </dd>
        </div>
        <div>
          <dt>Readers</dt>
          <dd>
            {readers === undefined ? 'Not known' : formatNumber(readers)}{' '}
            {summary && (
              <small>
                of {formatNumber(summary.readers)} in {zone.many ? 'these zones' : 'zone'}
              </small>
            )}{' '}
            {summary?.simulated && <Badge kind="simulated">Simulated</Badge>}
          </dd>
        </div>
        <div>
          <dt>Host PCs</dt>
          <dd>
            <HostStatus summary={summary} />
          </dd>
        </div>
      </dl>
    </>
  )
}

function Runs({ state, summary }: { state: WizardState; summary: ZoneSummary | undefined }) {
  const now = useNow()
  const outside = listOutside(state, summary, now)
  if (outside.length > 0) return <>Now, outside the maintenance windows, which open {outside[0]}</>
  if (state.when === 'now') return 'Now'
  const runs = formatRuns(state, summary, now)
  if (runs.length < 2) return runs.map((run) => <RunText key={run} text={run} />)
  return (
    <details>
      <summary>{formatStart(state, summary, now)}</summary>
      <ul>
        {runs.map((run) => (
          <li key={run}>{run}</li>
        ))}
      </ul>
    </details>
  )
}

function HostStatus({ summary }: { summary: ZoneSummary | undefined }) {
  if (!summary) return <Status kind="unknown" spoken="" children="Not known" />
  const { hosts, online } = summary
  if (hosts === 0) return <Status kind="warn">None yet</Status>
  return <Status kind={online === hosts ? 'ok' : online > 0 ? 'warn' : 'bad'}>{`${online} of ${hosts} online`}</Status>
}

const shown = 100

/** Shows the zones in words. A press shows their names. */
function ZoneNames({ zone: { name, many } }: { zone: ConfigZone }) {
  const [isOpen, setOpen] = useState(false)
  const isLimited = useIsLimited()
  if (!many) return name
  const { zones } = many
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{describeMany({ name, many }, isLimited)}</summary>
      {isOpen && (
        <ul>
          {zones.slice(0, shown).map(({ id, name: each }) => (
            <li key={id}>{each}</li>
          ))}
          {zones.length > shown && <li>and {formatNumber(zones.length - shown)} more</li>}
        </ul>
      )}
    </details>
  )
}
