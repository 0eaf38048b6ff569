import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { Status } from '../../ui/feedback/status.tsx'
import { listModels } from '../draft/choices.ts'
import { useNow } from '../select/next-run.tsx'
import { formatDay, nextRuns } from '../select/update-run.ts'
import { countReaders, type ZoneSummary } from '../select/zone-summary.ts'
import { listPieces, type WizardState } from '../wizard.ts'

interface ReviewFactsProps {
  zone: string
  state: WizardState
  summary: ZoneSummary | undefined
}

export function ReviewFacts({ zone, state, summary }: ReviewFactsProps) {
  const readers = countReaders(summary, listModels(listPieces(state)))
  return (
    <dl className="review-facts">
      <div>
        <dt>Zone</dt>
        <dd>{zone}</dd>
      </div>
      <div>
        <dt>Update time</dt>
        <dd>
          {state.updateTime} <UpdateDays updateTime={state.updateTime} summary={summary} />
        </dd>
      </div>
      <div>
        <dt>Readers</dt>
        <dd>
          {readers === undefined ? 'Not known' : formatNumber(readers)}{' '}
          {summary && <small>of {formatNumber(summary.readers)} in zone</small>}
        </dd>
      </div>
      <div>
        <dt>Host PCs</dt>
        <dd>
          <HostStatus summary={summary} />
        </dd>
      </div>
    </dl>
  )
}

function UpdateDays({ updateTime, summary }: { updateTime: string; summary: ZoneSummary | undefined }) {
  const now = useNow()
  if (!summary || updateTime === '') return null
  const runs = nextRuns(summary.timeZones, updateTime, now)
  const viewer = Intl.DateTimeFormat().resolvedOptions().timeZone
  const days = runs.map(({ instant, timeZones: [zone = viewer] }) => {
    const name = runs.length === 1 && nextRuns([viewer], updateTime, now)[0]?.instant.getTime() === instant.getTime() ? '' : ` in ${zone}`
    return `${formatDay(instant, zone)}${name}`
  })
  return <small>{days.join('; ')}</small>
}

function HostStatus({ summary }: { summary: ZoneSummary | undefined }) {
  if (!summary) return <Status kind="unknown">Not known</Status>
  const { hosts, online } = summary
  if (hosts === 0) return <Status kind="warn">None yet</Status>
  return <Status kind={online === hosts ? 'ok' : online > 0 ? 'warn' : 'bad'}>{`${online} of ${hosts} online`}</Status>
}
