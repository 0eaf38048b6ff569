import type { Device } from '@lectern/contract/devices/devices.ts'
import type { DeviceConfiguration, Standing } from '@lectern/contract/publications/publications.ts'
import { RotateCcw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { q, useMutation } from '../lib/api/query.ts'
import { formatMinute } from '../lib/format.ts'
import { useNow } from '../lib/now.ts'
import { formatRun } from '../lib/run-words.ts'
import { usePermission } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { type StatusKind, Status as StatusMark } from '../ui/feedback/status.tsx'
import { useToast } from '../ui/feedback/toast.tsx'

const words: Record<Standing, [kind: StatusKind, word: string]> = {
  none: ['unknown', 'Nothing published'],
  current: ['ok', 'Up to date'],
  waiting: ['wait', 'Waiting'],
  applied: ['run', 'Applied'],
  failed: ['bad', 'Failed'],
  drifted: ['warn', 'Drifted'],
  kept: ['unknown', 'Kept by a roll back'],
}

interface Status extends Pick<DeviceConfiguration, 'standing' | 'result' | 'reapplication'> {
  desired?: { dueAt?: string | undefined; timeZone?: string | undefined } | undefined
}

const causes = {
  configuration: 'The reader had what is published and now runs something else. A paper barcode or a factory reset does that.',
  firmware: 'The reader had what is published and now reports something else. Another firmware was installed by other means.',
}

interface DeviceStandingProps {
  what: keyof typeof causes
  device: Device
  status: Status
}

export function DeviceStanding({ what, device, status }: DeviceStandingProps) {
  const [kind, word] = words[status.standing]
  const now = useNow()
  return (
    <div className="device-standing" role="status">
      <StatusMark kind={kind} spoken="">
        {word}
      </StatusMark>
      <p>{describeStanding(what, device, status, now)}</p>
      <p className="text-ink-2">{describeReapplication(status)}</p>
    </div>
  )
}

function describeStanding(
  what: keyof typeof causes,
  { deviceType, zone }: Device,
  { standing, desired, result }: Status,
  now: Date,
): string {
  const due = desired?.dueAt
  const isDue = due !== undefined && Date.parse(due) <= now.getTime()
  switch (standing) {
    case 'none':
      return zone ? `Nothing is published for ${deviceType} in ${zone}.` : 'The reader belongs to no zone.'
    case 'current':
      return result ? `Applied on ${formatMinute(result.at)}.` : 'It already ran this.'
    case 'waiting':
      if (due === undefined) return 'Its zone has no host PC.'
      return isDue
        ? 'Its host PC applies it as soon as possible.'
        : `It is applied ${formatRun({ at: due, timeZones: desired?.timeZone ? [desired.timeZone] : [] }, { now })}.`
    case 'applied':
      return 'Its host PC has applied it; the next check-in shows it.'
    case 'failed':
      return `The update failed. ${result?.reason ?? ''}`.trim()
    case 'kept':
      return 'A roll back gave it back what it had. It keeps that until something newer is published.'
    case 'drifted':
      return causes[what]
  }
}

function describeReapplication({ reapplication }: Status): string | undefined {
  if (!reapplication) return undefined
  const { requestedAt, requestedBy, result } = reapplication
  const request = `Re-apply requested on ${formatMinute(requestedAt)}${requestedBy ? ` by ${requestedBy}` : ''}`
  if (!result) return `${request}; waiting for its host PC.`
  if (result.outcome === 'failed') return `${request}; it failed. ${result.reason ?? ''}`.trim()
  return `${request}; applied on ${formatMinute(result.at)}.`
}

const parts = {
  configuration: { permission: 'manage:cfg', call: 'reapplyConfiguration', preview: 'previewReapplyConfiguration' },
  firmware: { permission: 'manage:firmware', call: 'reapplyFirmware', preview: 'previewReapplyFirmware' },
} as const

/** A button that applies again what is published, for a reader that drifted or failed. Null where that is useless or not allowed. */
export function Reapply({ what, device, status: { standing, reapplication } }: DeviceStandingProps) {
  const { permission, call, preview } = parts[what]
  const canReapply = usePermission(permission)
  const organizationId = useOrganization()
  const toast = useToast()
  const dialog = useDialog()
  const { mutateAsync } = useMutation(call, {
    errorInPlace: true,
    onSuccess: ({ message }) => toast({ title: 'Re-apply requested', detail: message }),
  })
  const isOffered = canReapply && (standing === 'drifted' || standing === 'failed')
  const isInProgress = reapplication !== undefined && reapplication.result === undefined

  const button = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  // Each change draws another button, or none, so the focus would be lost.
  useEffect(() => {
    if (hadFocus.current) (button.current ?? document.querySelector<HTMLElement>('#main'))?.focus({ preventScroll: true })
  }, [isOffered, isInProgress])
  if (!isOffered) return null

  const args = { params: { organizationId, serialNumber: device.serialNumber } }
  const ask = () =>
    dialog.open<boolean>(async (close) => {
      const { RepairDialog } = await import('../rollouts/repair-dialog.tsx')
      return (
        <RepairDialog
          title={`Re-apply the ${what} to ${device.serialNumber}?`}
          yes="Re-apply"
          preview={q(preview, args)}
          onRepair={(expected) => mutateAsync({ ...args, body: { expected } })}
          close={close}
        />
      )
    })
  return (
    <Button
      ref={button}
      variant="primary"
      aria-label={`Re-apply ${what}`}
      icon={RotateCcw}
      disabledReason={isInProgress ? 'Already requested; waiting for the host PC.' : undefined}
      onFocus={() => {
        hadFocus.current = true
      }}
      onBlur={() => {
        hadFocus.current = false
      }}
      onClick={ask}
    >
      Re-apply…
    </Button>
  )
}
