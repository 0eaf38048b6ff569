import type { RolloutPhase } from '@lectern/contract/publications/phases.ts'
import type { RolloutDetail } from '@lectern/contract/rollouts/rollouts.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import { Play } from 'lucide-react'
import { Link } from 'react-router'
import { useOrganization } from '../../lib/active-organization.ts'
import { useMutation } from '../../lib/api/query.ts'
import { describeGate, formatPart } from '../../lib/safety/phases.ts'
import { Button } from '../../ui/button/button.tsx'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { useDialog } from '../../ui/dialog/dialog.tsx'
import { Status } from '../../ui/feedback/status.tsx'
import { useToast } from '../../ui/feedback/toast.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { useReadersLink } from '../use-rollout-readers.ts'
import { describePhase, explainPhase, formatFigures } from './phase-words.ts'
import { useWaitingWords } from './waiting-words.ts'

interface RolloutPhasesProps {
  rollout: RolloutDetail
  canChange: boolean
}

export function RolloutPhases({ rollout, canChange }: RolloutPhasesProps) {
  const { phases, isPartial, current } = rollout
  const running = phases.find(({ state }) => state !== 'passed')
  const waiting = useWaitingWords(rollout)
  const next = phases.find(({ number }) => number === (running?.number ?? 0) + 1)
  return (
    <Panel
      title="Phases"
      actions={canChange && !isPartial && current > 0 && running && next && <BeginPhase rollout={rollout} running={running} next={next} />}
    >
      <ol aria-label="Phases" className="grid gap-3">
        {phases.map((phase) => (
          <PhaseRow key={phase.number} phase={phase} rollout={rollout} waiting={waiting} />
        ))}
      </ol>
    </Panel>
  )
}

interface PhaseRowProps {
  phase: RolloutPhase
  rollout: RolloutDetail
  /** What readers wait for whose turn it is. */
  waiting: string | undefined
}

function PhaseRow({ phase, rollout, waiting }: PhaseRowProps) {
  const { number, state, readers, startedAt, soakMinutes, gate } = phase
  const { kind, word } = describePhase(phase, rollout, waiting)
  const link = useReadersLink()
  return (
    <li className="grid gap-1">
      <span className="flex flex-wrap items-center gap-x-2.5">
        <b>
          {number}. {formatPart(phase)}
        </b>
        <Status kind={kind} spoken="">
          {word}
        </Status>
        <Link to={link({ phase: String(number) as '1' })}>
          {counted(readers, 'reader')}
          <span className="sr-only"> of phase {number}</span>
        </Link>
        {startedAt && <span className="text-13 text-ink-2">{formatFigures(phase)}</span>}
      </span>
      <span className="text-13 text-ink-2">
        {explainPhase(phase, rollout, waiting)} {gate && state !== 'passed' && state !== 'ended' && describeGate({ soakMinutes, gate })}
      </span>
    </li>
  )
}

interface BeginPhaseProps {
  rollout: RolloutDetail
  running: RolloutPhase
  next: RolloutPhase
}

function BeginPhase({ rollout: { id }, running, next }: BeginPhaseProps) {
  const params = { organizationId: useOrganization(), id, phase: next.number }
  const dialog = useDialog()
  const toast = useToast()
  const { mutateAsync } = useMutation('beginPhase', { errorInPlace: true })
  const isWaiting = running.state === 'byHand' || running.state === 'empty'
  const ask = () =>
    dialog.open<boolean>((close) => (
      <Confirm
        title={`Begin phase ${next.number}?`}
        close={close}
        yes="Begin"
        busyLabel="Beginning"
        onYes={async () => {
          const { message } = await mutateAsync({ params })
          toast({ title: message })
        }}
      >
        {!isWaiting &&
          `Phase ${running.number} has not passed its gate: ${formatNumber(running.applied)} of ${counted(running.readers, 'reader')} applied, ${formatNumber(running.failed)} failed. `}
        {counted(next.readers, 'more reader')} may begin.
      </Confirm>
    ))
  return (
    <Button small variant={isWaiting ? 'primary' : undefined} icon={Play} onClick={ask}>
      Begin phase {next.number}…
    </Button>
  )
}
