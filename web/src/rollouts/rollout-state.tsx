import type { RolloutState as State } from '@lectern/contract/rollouts.ts'
import { Status } from '../ui/feedback/status.tsx'
import { rolloutStates } from './rollout-words.ts'

/** The state of a rollout or a part of it: mark and word, and below it why. */
export function RolloutState({ state, note }: { state: State; note?: string | undefined }) {
  const { kind, word } = rolloutStates[state]
  return (
    <span className="inline-grid">
      <Status kind={kind} spoken="">
        {word}
      </Status>
      {note && <span className="rollout-note">{note}</span>}
    </span>
  )
}
