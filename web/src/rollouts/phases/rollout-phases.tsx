import type { RolloutPhase } from '@lectern/contract/publications/phases.ts'
import type { RolloutDetail } from '@lectern/contract/rollouts.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import { Play } from 'lucide-react'
import { Link } from 'react-router'
import { useOrganization } from '../../lib/active-organization.ts'
import { useMutation } from '../../lib/api/query.ts'
import { formatMinute } from '../../lib/format.ts'
import { describeGate, formatPart } from '../../lib/safety/phases.ts'
import { Button } from '../../ui/button/button.tsx'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { useDialog } from '../../ui/dialog/dialog.tsx'
import { Status, type StatusKind } from '../../ui/feedback/status.tsx'
import { useToast } from '../../ui/feedback/toast.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { useReadersLink } from '../use-rollout-readers.ts'
import { useWaitingWords } from './waiting-words.ts'

const states: Record<RolloutPhase['state'], { kind: StatusKind; word: string }> = {
  waiting: { kind: 'wait', word: 'Waiting' },
  running: { kind: 'run', word: 'Its turn' },
  soaking: { kind: 'run', word: 'Soak time' },
  byHand: { kind: 'warn', word: 'Waits for you' },
  empty: { kind: 'warn', word: 'No readers' },
  halted: { kind: 'bad', word: 'Halted by its gate' },
  passed: { kind: 'ok', word: 'Passed' },
  done: { kind: 'ok', word: 'Complete' },
}

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
  const { number, state, readers, applied, failed, silent, soakMinutes, gate, startedAt } = phase
  const { kind, word } = states[state === 'running' && waiting ? 'waiting' : state]
  const link = useReadersLink()
  const done = [
    `${formatNumber(applied)} applied`,
    ...(failed > 0 ? [`${formatNumber(failed)} failed`] : []),
    ...(silent > 0 ? [`${formatNumber(silent)} silent`] : []),
  ]
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
        {startedAt && <span className="text-13 text-ink-2">{done.join(', ')}</span>}
      </span>
      <span className="text-13 text-ink-2">
        {explain(phase, rollout, waiting)} {gate && state !== 'passed' && describeGate({ soakMinutes, gate })}
      </span>
    </li>
  )
}

function explain(phase: RolloutPhase, rollout: RolloutDetail, waiting: string | undefined): string {
  const { state, gate, haltedBy, failed, silent, readers, startedAt, soakedAt } = phase
  if (state === 'waiting') return 'It begins after the phase before it.'
  if (state === 'empty') return gate ? explainEmpty : 'No reader is left for it.'
  if (state === 'halted') {
    const some =
      haltedBy === 'silent'
        ? `${formatNumber(silent)} of ${counted(readers, 'reader')} are silent`
        : `${formatNumber(failed)} of ${counted(readers, 'reader')} failed`
    return `The rollout was halted, as ${some}.`
  }
  if (state === 'soaking' && soakedAt) return explainSoak(soakedAt, rollout)
  if (state === 'running' && waiting) return `Its readers wait ${waiting}.`
  return startedAt ? `Its turn came ${formatMinute(startedAt)}.` : ''
}

const explainEmpty =
  'No reader is in this phase, so its gate shows nothing. It waits for its first reader, or for you to begin the next phase.'

function explainSoak(soakedAt: string, { at, state }: RolloutDetail): string {
  if (soakedAt > at) return `Its soak time ends ${formatMinute(soakedAt)}.`
  const next = state === 'halted' ? 'Once the rollout is resumed, its gate decides.' : 'Its gate decides within a minute.'
  return `Its soak time ended ${formatMinute(soakedAt)}. ${next}`
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
