import type { Device } from '@lectern/contract/devices/devices.ts'
import type { DeviceConfiguration, Standing } from '@lectern/contract/publications/publications.ts'
import { formatMinute } from '../lib/format.ts'
import { Status, type StatusKind } from '../ui/feedback/status.tsx'

const words: Record<Standing, [kind: StatusKind, word: string]> = {
  none: ['unknown', 'Nothing desired'],
  current: ['ok', 'Runs what its zone wants'],
  waiting: ['wait', 'Waiting'],
  applied: ['run', 'Applied'],
  failed: ['bad', 'Failed'],
  drifted: ['warn', 'Drifted'],
}

/** How a reader stands to a configuration or a firmware. */
type Stands = Pick<DeviceConfiguration, 'standing' | 'result' | 'reapplication'> & { desired?: { dueAt?: string | undefined } | undefined }

/** What makes a reader drift. */
const causes = {
  configuration: 'The reader had what its zone wants and runs something else now. A paper barcode or a factory reset does that.',
  firmware: 'The reader had what its zone wants and reports something else now. Somebody has installed another firmware by other means.',
}

/** How a reader stands to what its zone wants, and what happens next. */
export function DeviceStanding({ of, device, stands }: { of: keyof typeof causes; device: Device; stands: Stands }) {
  const [kind, word] = words[stands.standing]
  return (
    <div className="device-standing" role="status">
      <Status kind={kind} spoken="">
        {word}
      </Status>
      <p>{describeStanding(of, device, stands)}</p>
      <p className="text-ink-2">{describeReapplication(stands)}</p>
    </div>
  )
}

function describeStanding(of: keyof typeof causes, { deviceType, zone }: Device, { standing, desired, result }: Stands): string {
  const due = desired?.dueAt
  const isDue = due !== undefined && Date.parse(due) <= Date.now()
  switch (standing) {
    case 'none':
      return zone ? `Nothing is published for ${deviceType} in ${zone}.` : 'The reader belongs to no zone.'
    case 'current':
      return result ? `Applied on ${formatMinute(result.at)}.` : 'It ran this already.'
    case 'waiting':
      if (due === undefined) return 'No host PC is there to give it to the reader.'
      return isDue
        ? 'Its host PC gives it to the reader as soon as it can.'
        : `The reader takes it over on ${formatMinute(due)}, your time.`
    case 'applied':
      return 'Its host PC says that the reader has it; the next check-in shows it.'
    case 'failed':
      return `The reader did not take it. ${result?.reason ?? ''}`.trim()
    case 'drifted':
      return causes[of]
  }
}

/** What became of the last time somebody had it applied again. */
function describeReapplication({ reapplication }: Stands): string | undefined {
  if (!reapplication) return undefined
  const { requestedAt, requestedBy, result } = reapplication
  const asked = `Re-apply asked for on ${formatMinute(requestedAt)}${requestedBy ? ` by ${requestedBy}` : ''}`
  if (!result) return `${asked}; its host PC has not answered yet.`
  if (result.outcome === 'failed') return `${asked}; it failed. ${result.reason ?? ''}`.trim()
  return `${asked}; applied on ${formatMinute(result.at)}.`
}
