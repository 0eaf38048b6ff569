import './rollout-marks.css'
import type { Rollout } from '@lectern/contract/rollouts.ts'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { Status } from '../ui/feedback/status.tsx'
import { describeState } from './rollout-words.ts'

interface RolloutStateProps {
  of: Pick<Rollout, 'state' | 'counts'>
  note?: string | undefined
}

export function RolloutState({ of, note }: RolloutStateProps) {
  const { kind, word } = describeState(of)
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
