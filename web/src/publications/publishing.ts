import { type Piece, type PieceName, pieceName } from './content/choices.ts'
import { formatPublishError } from './publish-error.ts'
import { type Attempt, listUnpublished, type WizardState } from './wizard-state.ts'

type Outcome = NonNullable<Attempt['outcome']>

/** Returns an Idempotency-Key for each piece: the one that it has, else a new one. */
export function assignKeys(
  pieces: readonly Piece[],
  attempts: WizardState['attempts'],
  newKey: () => string,
): Partial<Record<PieceName, string>> {
  return Object.fromEntries(pieces.map(pieceName).map((name) => [name, attempts[name]?.key ?? newKey()]))
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
