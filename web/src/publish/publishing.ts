import { type Piece, type PieceName, pieceName } from './draft/choices.ts'
import { publishError } from './publish-error.ts'
import { type Attempt, unpublished, type WizardState } from './wizard.ts'

type Outcome = NonNullable<Attempt['outcome']>

/** The Idempotency-Key of each piece to send: the one it has, else a new one. */
export function keysFor(
  pieces: readonly Piece[],
  attempts: WizardState['attempts'],
  newKey: () => string,
): Partial<Record<PieceName, string>> {
  return Object.fromEntries(pieces.map(pieceName).map((name) => [name, attempts[name]?.key ?? newKey()]))
}

/**
 * Sends all pieces at once and waits until each is settled on its own; `settled` hears of each as soon as it is (spec §4).
 * A failure that is no Error is thrown again, after all others are settled.
 * @returns whether all were published
 */
export async function publishAll(
  pieces: readonly Piece[],
  send: (piece: Piece) => Promise<unknown>,
  settled: (piece: Piece, outcome: Outcome) => void,
): Promise<boolean> {
  const results = await Promise.allSettled(
    pieces.map(async (piece): Promise<boolean> => {
      let outcome: Outcome
      try {
        await send(piece)
        outcome = { published: true }
      } catch (failure) {
        outcome = { published: false, message: publishError(failure) }
      }
      settled(piece, outcome)
      return outcome.published
    }),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return results.every((result) => result.status === 'fulfilled' && result.value)
}

/** What failed, a sentence per message with the pieces it concerns. */
export function failures(state: WizardState): { pieces: Piece[]; message: string }[] {
  const byMessage = new Map<string, Piece[]>()
  for (const piece of unpublished(state)) {
    const outcome = state.attempts[pieceName(piece)]?.outcome
    if (outcome?.published === false) byMessage.set(outcome.message, [...(byMessage.get(outcome.message) ?? []), piece])
  }
  return [...byMessage].map(([message, pieces]) => ({ pieces, message }))
}
