import type { RolloutPhase } from '@lectern/contract/publications/phases.ts'
import type { RolloutDetail } from '@lectern/contract/rollouts/rollouts.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import { formatMinute } from '../../lib/format.ts'
import type { StatusKind } from '../../ui/feedback/status.tsx'

const states: Record<RolloutPhase['state'], { kind: StatusKind; word: string }> = {
  waiting: { kind: 'wait', word: 'Waiting' },
  running: { kind: 'run', word: 'Its turn' },
  soaking: { kind: 'run', word: 'Soak time' },
  byHand: { kind: 'warn', word: 'Waits for you' },
  empty: { kind: 'warn', word: 'No readers' },
  halted: { kind: 'bad', word: 'Halted by its gate' },
  passed: { kind: 'ok', word: 'Passed' },
  done: { kind: 'ok', word: 'Complete' },
  ended: { kind: 'unknown', word: 'Ended by a newer rollout' },
}

/**
 * Success only where all of its readers have it (SEE-01).
 * @param waiting what readers wait for whose turn it is
 */
export function describePhase(
  { state, readers, applied, failed, notPossible = 0 }: RolloutPhase,
  { rolledBackBy }: RolloutDetail,
  waiting: string | undefined,
) {
  if (state === 'running' && waiting) return states.waiting
  if (state === 'ended' && rolledBackBy) return { ...states.ended, word: 'Ended by a roll back' }
  if ((state !== 'passed' && state !== 'done') || applied >= readers) return states[state]
  if (state === 'done' && applied + failed < readers) return { kind: 'unknown', word: 'Waits for silent readers' } as const
  const { word } = states[state]
  if (failed > notPossible) return { kind: 'warn', word: `${word}, ${formatNumber(failed - notPossible)} failed` } as const
  return notPossible > 0
    ? ({ kind: 'unknown', word: `${word}, ${formatNumber(notPossible)} not possible` } as const)
    : ({ kind: 'unknown', word } as const)
}

/** The present figures, with "now" where another sentence has those of a halt. */
export function formatFigures({ state, applied, failed, notPossible = 0, silent, haltedBy }: RolloutPhase): string {
  const hasFailed = failed - notPossible > 0 || haltedBy === 'failed'
  const figures = [
    `${formatNumber(applied)} applied`,
    ...(hasFailed ? [`${formatNumber(failed - notPossible)} failed`] : []),
    ...(notPossible > 0 ? [`${formatNumber(notPossible)} not possible`] : []),
    ...(silent > 0 || haltedBy === 'silent' ? [`${formatNumber(silent)} silent`] : []),
  ].join(', ')
  return haltedBy && state !== 'ended' ? `now ${figures}` : figures
}

export function explainPhase(phase: RolloutPhase, rollout: RolloutDetail, waiting: string | undefined): string {
  const { state, gate, haltedBy, startedAt, soakedAt } = phase
  if (state === 'waiting') return 'It begins after the phase before it.'
  if (state === 'empty') return gate ? explainEmpty : 'No reader is left for it.'
  if (state === 'halted') return `The rollout was halted, as ${explainHalt(phase)}.`
  if (state === 'soaking' && soakedAt) return explainSoak(soakedAt, rollout)
  if (state === 'running' && waiting) return `Its readers wait ${waiting}.`
  if (!startedAt) return state === 'ended' ? 'It did not begin.' : ''
  const halted = haltedBy ? ` Its gate halted the rollout, as ${explainHalt(phase)}${state === 'ended' ? '' : '; a user went on'}.` : ''
  return `Its turn came ${formatMinute(startedAt)}.${halted}`
}

/** Has the figures of the halt, as the present ones may differ. */
function explainHalt({ haltedBy, haltedWith }: RolloutPhase): string {
  const some = haltedWith ? `${formatNumber(haltedWith.count)} of ${counted(haltedWith.readers, 'reader')}` : 'too many of its readers'
  if (haltedBy !== 'silent') return `${some} failed`
  return `${some} ${haltedWith?.count === 1 ? 'was' : 'were'} silent`
}

const explainEmpty =
  'No reader is in this phase, so its gate shows nothing. It waits for its first reader, or for you to begin the next phase.'

function explainSoak(soakedAt: string, { at, state }: RolloutDetail): string {
  if (soakedAt > at) return `Its soak time ends ${formatMinute(soakedAt)}.`
  const next = state === 'halted' ? 'Once the rollout is resumed, its gate decides.' : 'Its gate decides within a minute.'
  return `Its soak time ended ${formatMinute(soakedAt)}. ${next}`
}
