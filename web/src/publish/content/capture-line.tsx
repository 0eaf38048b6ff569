import { Status } from '../../ui/feedback/status.tsx'
import type { CaptureState } from './cfg-capture.ts'

const words = {
  waiting: ['wait', 'Waiting for the scan'],
  receiving: ['run', 'Receiving'],
  paused: ['warn', 'Stopped before the end. Scan again, or paste the whole text'],
  complete: ['ok', 'Complete'],
} as const

/** Where the capture stands, read out when that changes. */
export function CaptureLine({ state, isHeld }: { state: CaptureState; isHeld: boolean }) {
  const [kind, text] = words[state]
  return (
    <p className="capture-line" role="status">
      <Status kind={kind} spoken="">
        {state === 'receiving' && isHeld ? 'Receiving. Pointer held until the scan ends' : text}
      </Status>
    </p>
  )
}
