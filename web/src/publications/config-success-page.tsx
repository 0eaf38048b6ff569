import './config-success-page.css'
import { mergeRuns } from '@lectern/contract/publications/runs.ts'
import type { RolloutPart } from '@lectern/contract/rollouts/rollouts.ts'
import { formatNames } from '@lectern/contract/text/names.ts'
import { counted, formatNumber, nounOfUpdates } from '@lectern/contract/text/numbers.ts'
import { Uuid } from '@lectern/contract/text/text.ts'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useNow } from '../lib/now.ts'
import { formatRun } from '../lib/run-words.ts'
import { paths } from '../paths.ts'
import { ComingRuns } from '../rollouts/coming-runs.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'

const words = {
  config: {
    title: 'Configure Zones',
    success: 'Success! Your Configuration has published.',
    detail: 'Each host PC gives it to its readers at that time. Its rollout shows which of them have it.',
  },
  firmware: {
    title: 'Manage Firmware',
    success: 'Success! Your firmware has published.',
    detail:
      'Each host PC installs it on its readers at that time. Do not power off the readers during the update. Its rollout shows which of them run it.',
  },
}

/** Shows what was published. The address has the rollout, so that a reload shows it too. */
export default function ConfigSuccessPage() {
  const [search] = useSearchParams()
  const { title, success, detail } = words[search.get('of') === 'firmware' ? 'firmware' : 'config']
  const rollout = Uuid.safeParse(search.get('rollout')).data
  useDocumentTitle(title)
  return (
    <Page>
      <PageHead title={title} />
      <Panel>
        <div className="publish-success">
          <p role="status">
            <Status kind="ok" spoken="">
              {success}
            </Status>
          </p>
          {rollout && <Published id={rollout} />}
          <p>{detail}</p>
          {rollout && <PhasesLine id={rollout} />}
          <div className="flex gap-2">
            <ButtonLink variant="primary" to={paths.deviceManagement()}>
              Done
            </ButtonLink>
            <ButtonLink to={rollout ? paths.rollout({ id: rollout }) : paths.rollouts()}>Watch the rollout</ButtonLink>
          </div>
        </div>
      </Panel>
    </Page>
  )
}

function Published({ id }: { id: string }) {
  const organizationId = useOrganization()
  const query = useQuery(q('listRolloutParts', { params: { organizationId, id } }))
  const { data: rollout } = useQuery(q('getRollout', { params: { organizationId, id } }))
  const now = useNow()
  return (
    <QueryStates query={query} failed="Error loading what was published">
      {({ partList: parts, totalCount }) => {
        const zones = [...new Set(parts.map(({ zone }) => zone))]
        const hasAll = totalCount <= zones.length
        return (
          <DefinitionList
            left
            items={[
              ...(rollout?.name === undefined ? [] : [['Name', <b className="wrap-anywhere">{rollout.name}</b>] as const]),
              [totalCount > 1 ? 'Zones' : 'Zone', <b className="wrap-anywhere">{rollout?.zoneWords ?? formatZones(zones, totalCount)}</b>],
              ['Content', <span className="wrap-anywhere">{[...new Set(parts.map(({ content }) => content.name))].join(', ')}</span>],
              ['Models', formatNames([...new Set(parts.map(({ deviceType }) => deviceType))])],
              [
                'Readers',
                <>
                  {hasAll ? formatNumber(countReaders(parts)) : <AllReaders id={id} />}{' '}
                  {parts.some(({ simulated }) => simulated) && <Badge>Simulated</Badge>}
                </>,
              ],
              ['Update time', <Start id={id} parts={parts} hasAll={hasAll} now={now} />],
            ]}
          />
        )
      }}
    </QueryStates>
  )
}

const namedZones = 3

/** Lists all zones where one page has them, else the first three. */
const formatZones = (zones: readonly string[], count: number): string =>
  formatNames(zones, count <= zones.length ? count : namedZones, count)

function PhasesLine({ id }: { id: string }) {
  const { data } = useQuery(q('getRollout', { params: { organizationId: useOrganization(), id } }))
  if (!data || data.phases.length === 0) return null
  return <p>Only the readers of phase 1 begin then. The rollout shows when the next phase begins, and can be halted there.</p>
}

/** Shows how many readers a rollout has that has more zones than one page. */
function AllReaders({ id }: { id: string }) {
  const query = useQuery(q('getRollout', { params: { organizationId: useOrganization(), id } }))
  return (
    <QueryStates query={query} failed="Error counting the readers" loading="Loading...">
      {({ counts, kinds }) =>
        // With both kinds a reader is counted twice, so it says updates.
        kinds.length > 1 ? counted(counts.readers, nounOfUpdates(kinds)) : formatNumber(counts.readers)
      }
    </QueryStates>
  )
}

type Parts = readonly RolloutPart[]

/** Counts the readers of the parts. A reader with both kinds counts once. */
const countReaders = (parts: Parts): number => {
  const readers = new Map(parts.map(({ zone, deviceType, counts }) => [`${zone} ${deviceType}`, counts.readers]))
  return [...readers.values()].reduce((sum, count) => sum + count, 0)
}

function Start({ id, parts, hasAll, now }: { id: string; parts: Parts; hasAll: boolean; now: Date }) {
  const [part] = parts
  if (!part) return null
  const { atOnce, updateTime } = part
  if (atOnce) return 'Now: as soon as the host PC has it'
  if (!hasAll) return <ComingRuns id={id} updateTime={updateTime} />
  const runs = mergeRuns(parts.flatMap((each) => each.runs))
  if (runs.length === 0) return updateTime
  return runs.map((run) => (
    <span key={run.at} className="block">
      {formatRun(run, { updateTime, now })}
    </span>
  ))
}
