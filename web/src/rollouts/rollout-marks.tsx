import './rollout-marks.css'
import type { RolloutState as State } from '@lectern/contract/rollouts.ts'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { Status } from '../ui/feedback/status.tsx'
import { rolloutStates } from './rollout-words.ts'

interface RolloutStateProps {
  state: State
  note?: string | undefined
}

export function RolloutState({ state, note }: RolloutStateProps) {
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

export const ReaderLink = ({ serialNumber }: { serialNumber: string }) => (
  <Link className="mono rollout-reader" to={paths.device({ serialNumber })}>
    <bdi>{serialNumber}</bdi>
  </Link>
)
