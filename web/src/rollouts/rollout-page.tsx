import type { RolloutDetail } from '@lectern/contract/rollouts/rollouts.ts'
import { zonesInSentence } from '@lectern/contract/text/names.ts'
import { counted, nounOfUpdates } from '@lectern/contract/text/numbers.ts'
import { Uuid } from '@lectern/contract/text/text.ts'
import { ChevronRight } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useParams } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { CallError } from '../lib/api/call-error.ts'
import { useLive } from '../lib/api/live.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { formatMinute } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { NotFound } from '../ui/feedback/not-found.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { FailedReaders } from './failed-readers.tsx'
import { RolloutActions } from './rollout-actions.tsx'
import { RolloutParts } from './rollout-parts.tsx'
import { RolloutEvents, RolloutTotals } from './rollout-progress.tsx'
import { describeState } from './rollout-words.ts'
import { RunLines } from './run-lines.tsx'
import { SafetyLimits } from './safety-limits.tsx'
import { useComingRuns } from './use-coming-runs.ts'
import { type RolloutChange, useRolloutChange } from './use-rollout-change.ts'
import { useRolloutParts } from './use-rollout-parts.ts'
import { type RolloutReaderList, rolloutReadersAddress, useRolloutReaders } from './use-rollout-readers.ts'

const RolloutPhases = lazyPart(async () => (await import('./phases/rollout-phases.tsx')).RolloutPhases)
const RolloutReaders = lazyPart(async () => (await import('./rollout-readers.tsx')).RolloutReaders)

export default function RolloutPage() {
  const id = Uuid.safeParse(useParams().id).data
  return <Page>{id ? <Live key={id} id={id} /> : <RolloutNotFound />}</Page>
}

function Live({ id }: { id: string }) {
  useEffect(RolloutReaders.preload, [])
  const args = { params: { organizationId: useOrganization(), id } }
  const { isLost, ...query } = useLive('getRollout', 'streamRollout', args)
  const parts = useRolloutParts(id, query.data?.at, rolloutReadersAddress)
  const readers = useRolloutReaders(id, query.data?.at)
  useDocumentTitle(query.data ? (query.data.name ?? query.data.title) : 'Rollout')
  if (!query.data && query.error instanceof CallError && query.error.status === 404) return <RolloutNotFound />
  return (
    <QueryStates query={query} failed="Error loading the rollout">
      {(rollout) => <Details rollout={rollout} parts={parts} readers={readers} isLost={isLost} />}
    </QueryStates>
  )
}

interface DetailsProps {
  rollout: RolloutDetail
  parts: ReturnType<typeof useRolloutParts>
  readers: RolloutReaderList
  isLost: boolean
}

function Details({ rollout, parts, readers, isLost }: DetailsProps) {
  const change = useRolloutChange(rollout)
  // With both kinds a reader counts twice.
  const noun = nounOfUpdates(rollout.kinds)
  return (
    <>
      <PageHead
        trail={
          <>
            <Link to={paths.rollouts()}>Rollouts</Link>
            <ChevronRight size={13} />
            <span>{describeState(rollout).word}</span>
          </>
        }
        title={<bdi className="wrap-anywhere">{rollout.name ?? rollout.title}</bdi>}
        intro={<Origin rollout={rollout} change={change} />}
        actions={change && <RolloutActions rollout={rollout} change={change} />}
      />
      {rollout.isPartial && (
        <Notice className="mb-4">
          This is the part of the rollout in the zones of your role. It has more zones, which you do not see and do not change.
        </Notice>
      )}
      {rollout.rolledBackBy && (
        <Notice kind="warn" className="mb-4">
          {rollout.current > 0 ? 'Part of it' : 'It'} was rolled back.{' '}
          <Link to={paths.rollout({ id: rollout.rolledBackBy })}>Show the rollout that did</Link>
        </Notice>
      )}
      <Starts rollout={rollout} />
      <RolloutTotals rollout={rollout} noun={noun} />
      <div className="mb-4 grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-4">
          {rollout.phases.length > 0 && <RolloutPhases rollout={rollout} canChange={change !== null} />}
          <RolloutParts rollout={rollout} parts={parts} canChange={change !== null} />
          <RolloutEvents rollout={rollout} isLost={isLost} />
        </div>
        <aside className="grid min-w-0 gap-4" aria-label="Failures and safety limits">
          <FailedReaders rollout={rollout} change={change} />
          <SafetyLimits rollout={rollout} change={change} />
        </aside>
      </div>
      <RolloutReaders rollout={rollout} readers={readers} />
    </>
  )
}

/** When the parts begin that wait for their time. */
function Starts({ rollout }: { rollout: RolloutDetail }) {
  const coming = useComingRuns(rollout)
  if (!coming || coming.runs.length === 0) return null
  return (
    <ul className="mb-4 text-13 text-ink-2" aria-label="When readers begin">
      <RunLines {...coming} lead="Readers begin " />
    </ul>
  )
}

interface OriginProps {
  rollout: RolloutDetail
  change: RolloutChange | null
}

function Origin({ rollout, change }: OriginProps) {
  const { name, title, zoneWords, publishedBy, publishedAt, rollsBack, taken, simulated, isPartial } = rollout
  const within = zoneWords === undefined ? undefined : zonesInSentence(zoneWords)
  return (
    <>
      {name !== undefined ? `${title}${within === undefined ? '' : ` in ${within}`}. ` : within !== undefined && `In ${within}. `}
      Published{publishedBy && ` by ${publishedBy}`}, {formatMinute(publishedAt)}.
      {simulated && <span data-simulated> Simulated readers are counted.</span>}
      {rollsBack && (
        <>
          {' '}
          It rolls back <Link to={paths.rollout({ id: rollsBack })}>another rollout</Link>: each reader that it reached gets back what it
          had.
          {taken && describeTaken(taken)}
        </>
      )}{' '}
      {change && !isPartial && <NameButton rollout={rollout} change={change} />}
    </>
  )
}

function NameButton({ rollout, change }: { rollout: RolloutDetail; change: RolloutChange }) {
  const dialog = useDialog()
  const ask = () =>
    dialog.open<void>(async (close) => {
      const { NameDialog } = await import('./name-dialog.tsx')
      return <NameDialog id={rollout.id} name={rollout.name} onName={change.name} close={close} />
    })
  return (
    <Button variant="link" onClick={ask}>
      {rollout.name === undefined ? 'Name it…' : 'Rename…'}
    </Button>
  )
}

/** " 12 readers were released. 3 are not known until their host PC is heard from." */
function describeTaken({ released, notKnown }: NonNullable<RolloutDetail['taken']>): string {
  const sentences = [
    ...(released > 0 ? [`${counted(released, 'reader')} ${released === 1 ? 'was' : 'were'} released.`] : []),
    ...(notKnown > 0
      ? [`${counted(notKnown, 'reader')} ${notKnown === 1 ? 'is' : 'are'} not known until their host PC is heard from.`]
      : []),
  ]
  return sentences.map((sentence) => ` ${sentence}`).join('')
}

function RolloutNotFound() {
  useDocumentTitle('Rollout not found')
  return (
    <NotFound title="Rollout not found" to={paths.rollouts()} back="Rollouts">
      Your organization has no such rollout. The link may have been cut short.
    </NotFound>
  )
}
