import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { Status } from '../../ui/feedback/status.tsx'
import { listModels } from '../draft/choices.ts'
import { useNow } from '../select/next-run.tsx'
import { day, nextRuns } from '../select/update-run.ts'
import { countReaders, type ZoneStanding } from '../select/zone-standing.ts'
import { pieces, type WizardState } from '../wizard.ts'

type ReviewFactsProps = { zone: string; state: WizardState; standing: ZoneStanding | undefined }

/** Where, when, how many, and whether somebody is there to receive it. */
export function ReviewFacts({ zone, state, standing }: ReviewFactsProps) {
  return (
    <dl className="review-facts">
      <div>
        <dt>Zone</dt>
        <dd>{zone}</dd>
      </div>
      <div>
        <dt>Update time</dt>
        <dd>
          {state.updateTime} <UpdateDays updateTime={state.updateTime} standing={standing} />
        </dd>
      </div>
      <div>
        <dt>Readers</dt>
        <dd>
          {standing ? countReaders(standing, listModels(pieces(state)))?.toLocaleString('en-US') : 'Not known'}{' '}
          {standing && <small>of {formatNumber(standing.readers)} in zone</small>}
        </dd>
      </div>
      <div>
        <dt>Host PCs</dt>
        <dd>
          <HostStatus standing={standing} />
        </dd>
      </div>
    </dl>
  )
}

/** The date of the next run; each time zone's own where they differ. */
function UpdateDays({ updateTime, standing }: { updateTime: string; standing: ZoneStanding | undefined }) {
  const now = useNow()
  if (!standing || updateTime === '') return null
  const runs = nextRuns(standing.timeZones, updateTime, now)
  const viewer = Intl.DateTimeFormat().resolvedOptions().timeZone
  const days = runs.map(({ instant, timeZones: [zone = viewer] }) => {
    const name = runs.length === 1 && nextRuns([viewer], updateTime, now)[0]?.instant.getTime() === instant.getTime() ? '' : ` in ${zone}`
    return `${day(instant, zone)}${name}`
  })
  return <small>{days.join('; ')}</small>
}

function HostStatus({ standing }: { standing: ZoneStanding | undefined }) {
  if (!standing) return <Status kind="unknown">Not known</Status>
  const { hosts, online } = standing
  if (hosts === 0) return <Status kind="warn">None yet</Status>
  return <Status kind={online === hosts ? 'ok' : online > 0 ? 'warn' : 'bad'}>{`${online} of ${hosts} online`}</Status>
}
