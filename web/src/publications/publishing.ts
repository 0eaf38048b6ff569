import { type Piece, type PieceName, pieceName, samePiece } from './content/choices.ts'
import { formatPublishError } from './publish-error.ts'
import { type Attempt, listUnpublished, type WizardState } from './wizard-state.ts'

type Outcome = NonNullable<Attempt['outcome']>

/** Returns an Idempotency-Key for each piece: the one that it has, else a new one. */
function assignKeys(pieces: readonly Piece[], attempts: WizardState['attempts'], newKey: () => string): Partial<Record<PieceName, string>> {
  return Object.fromEntries(pieces.map(pieceName).map((name) => [name, attempts[name]?.key ?? newKey()]))
}

interface Sending {
  /** The pieces that are sent. */
  chosen: readonly Piece[]
  /** Whether nothing is left to publish once these are published. */
  isAll: boolean
  /** The id of the rollout that they are sent as part of. */
  rollout: string
  /** Idempotency-Keys. */
  keys: Partial<Record<PieceName, string>>
}

/**
 * Plans what is sent when the user publishes pieces. `before`, `state`: the wizard's state without and with the changes that are made before
 * publishing.
 */
export function planSending(before: WizardState, state: WizardState, pieces: readonly Piece[], newId: () => string): Sending {
  const { attempts } = state
  const isMany = state.configZone?.many !== undefined
  const unpublished = listUnpublished(state)
  // All that is unpublished is sent where the changes dropped what was sent before, and to several zones, which get all pieces together.
  const chosen = attempts === before.attempts && !isMany ? pieces : unpublished
  const isAll = unpublished.every((piece) => chosen.some((each) => samePiece(each, piece)))
  // A publish to several zones is repeated only with the same pieces; with others it is a new rollout.
  const isRepeated = chosen.every((piece) => attempts[pieceName(piece)]?.key === state.rollout)
  const rollout = ((!isMany || isRepeated) && state.rollout) || newId()
  const keys = isMany ? Object.fromEntries(chosen.map((piece) => [pieceName(piece), rollout])) : assignKeys(chosen, attempts, newId)
  return { chosen, isAll, rollout, keys }
}

/**
 * Sends all pieces at once and calls `onAnswered` as each response comes (spec §4).
 * @returns whether all were published
 * @throws a failure that is not an Error, once all others have an outcome
 */
export async function publishAll(
  pieces: readonly Piece[],
  send: (piece: Piece) => Promise<unknown>,
  onAnswered: (piece: Piece, outcome: Outcome) => void,
): Promise<boolean> {
  const results = await Promise.allSettled(
    pieces.map(async (piece): Promise<boolean> => {
      let outcome: Outcome
      try {
        await send(piece)
        outcome = { published: true }
      } catch (failure) {
        outcome = { published: false, message: formatPublishError(failure) }
      }
      onAnswered(piece, outcome)
      return outcome.published
    }),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return results.every((result) => result.status === 'fulfilled' && result.value)
}

/** Lists why pieces could not be published, with the pieces of each message. */
export function failures(state: WizardState): { pieces: Piece[]; message: string }[] {
  const byMessage = new Map<string, Piece[]>()
  for (const piece of listUnpublished(state)) {
    const outcome = state.attempts[pieceName(piece)]?.outcome
    if (outcome?.published === false) byMessage.set(outcome.message, [...(byMessage.get(outcome.message) ?? []), piece])
  }
  return [...byMessage].map(([message, pieces]) => ({ pieces, message }))
}
