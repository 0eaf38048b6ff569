import './rollout-marks.css'
import type { RolloutReader } from '@lectern/contract/rollouts/rollouts.ts'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { Brief } from '../ui/feedback/brief.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { type DescribedState, describeState } from './rollout-words.ts'

interface RolloutStateProps {
  of: DescribedState
  note?: string | undefined
  /** The full text that the note shortens. */
  whole?: string | undefined
}

export function RolloutState({ of, note, whole }: RolloutStateProps) {
  const { kind, word } = describeState(of)
  return (
    <span className="inline-grid">
      <Status kind={kind} spoken="">
        {word}
      </Status>
      {note && <span className="rollout-note">{whole === undefined ? note : <Brief whole={whole}>{note}</Brief>}</span>}
    </span>
  )
}

export const ReaderLink = ({ reader: { serialNumber, simulated } }: { reader: Pick<RolloutReader, 'serialNumber' | 'simulated'> }) => (
  <span className="inline-flex flex-wrap items-center gap-x-2">
    <Link className="mono rollout-reader" to={paths.device({ serialNumber })}>
      <bdi>{serialNumber}</bdi>
    </Link>
    {simulated && <Badge kind="simulated">Simulated</Badge>}
  </span>
)
