import type { Outcome } from '@lectern/contract/hosts.ts'
import { backoff } from '../backoff.ts'
import { ReaderUnreachable } from '../drivers/driver.ts'
import { sentence } from '../sentence.ts'
import { isActive, mayLeadTo, type State, states } from './states.ts'
import { steps } from './steps.ts'
import type { Transition, Update, UpdateContext } from './update.ts'

const triesPerReader = 3

export interface UpdateResult {
  state: State
  reason: string | null
}

/** Goes from step to step until the update stays in a state. `signal` ends it only before its reader is written to. */
export async function updateReader(update: Update, context: UpdateContext, signal: AbortSignal): Promise<UpdateResult> {
  let reason: string | null = null
  try {
    while (isActive(update.state)) {
      const transition: Transition | null = await steps[states[update.state].step](update, context, signal)
      if (!transition) break
      await enter(update, transition, context)
      reason = 'reason' in transition ? transition.reason : null
    }
  } catch (error) {
    if (signal.aborted) return { state: update.state, reason }
    reason = await recover(update, error, context)
    // The reader is returned at once.
    if (update.state === 'verifying') return updateReader(update, context, signal)
  }
  return { state: update.state, reason }
}

/** First writes to disk what the state needs. Throws on a transition that the table does not have. */
export async function enter(update: Update, transition: Transition, context: UpdateContext): Promise<void> {
  const from = update.state
  if (!mayLeadTo(from, transition.to)) throw new Error(`An update that is ${from} cannot become ${transition.to}.`)
  if (transition.to === 'settled') await recordOutcome(update, { outcome: 'applied', reason: null }, context)
  if (transition.to === 'failed') {
    const { reason, code } = transition
    await recordOutcome(update, { outcome: 'failed', reason: reason.slice(0, 500), ...(code && { code }) }, context)
  }
  if (transition.to === 'postponed') update.notBefore = context.now().getTime() + transition.milliseconds
  update.content = transition.to === 'applying' ? transition.content : null
  update.state = transition.to
  context.onTransition(update, from)
}

async function recordOutcome(
  { assignment, serialNumber }: Update,
  outcome: Pick<Outcome, 'outcome' | 'reason' | 'code'>,
  { journal, inProgress, now }: UpdateContext,
): Promise<void> {
  const { publication } = assignment
  await journal.record({ publication, serialNumber, ...outcome, at: now().toISOString() })
  await inProgress.end(serialNumber)
}

/** A reader that does not answer has not failed: it is updated once it is back. */
async function recover(update: Update, error: unknown, context: UpdateContext): Promise<string> {
  const { assignment, serialNumber } = update
  const reason = sentence(error)
  update.tries += 1
  context.log.warn(`${serialNumber}: try ${update.tries} of ${assignment.label} failed. ${reason}`)
  if (update.tries >= triesPerReader && !(error instanceof ReaderUnreachable)) {
    try {
      // A reader takes commands one by one, so some of them may have been carried out.
      if (assignment.kind === 'commands' && update.state === 'applying') {
        await context.inProgress.recordTrouble(serialNumber, reason)
        await enter(update, { to: 'verifying' }, context)
      } else await enter(update, { to: 'failed', reason }, context)
      return reason
    } catch (error) {
      context.log.warn(sentence(error))
    }
  }
  await enter(update, { to: 'postponed', reason, milliseconds: backoff(update.tries) }, context)
  return reason
}
