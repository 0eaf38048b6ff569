import type { Device } from '@lectern/contract/devices/devices.ts'
import type { DeviceConfiguration } from '@lectern/contract/publications/publications.ts'
import { RotateCcw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { useMutation } from '../lib/api/query.ts'
import { usePermission } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { useToast } from '../ui/feedback/toast.tsx'

const parts = {
  configuration: { permission: 'manage:cfg', call: 'reapplyConfiguration' },
  firmware: { permission: 'manage:firmware', call: 'reapplyFirmware' },
} as const

type ReapplyProps = {
  what: keyof typeof parts
  device: Device
  stands: Pick<DeviceConfiguration, 'standing' | 'reapplication'>
}

/**
 * Has a reader that drifted or failed given once more the configuration or the firmware that its zone wants; not there where that is pointless
 * or not allowed.
 */
export function Reapply({ what, device, stands: { standing, reapplication } }: ReapplyProps) {
  const { permission, call } = parts[what]
  const mayReapply = usePermission(permission)
  const organizationId = useOrganization()
  const toast = useToast()
  const { mutate, isPending } = useMutation(call, {
    onSuccess: ({ message }) => toast({ title: 'Re-apply asked for', detail: message }),
  })
  const isOffered = mayReapply && (standing === 'drifted' || standing === 'failed')
  const isUnderWay = reapplication !== undefined && reapplication.result === undefined

  const button = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  // With each of the two it is another button, or none: the keyboard stays where it was.
  useEffect(() => {
    if (hadFocus.current) (button.current ?? document.querySelector<HTMLElement>('#main'))?.focus({ preventScroll: true })
  }, [isOffered, isUnderWay])
  if (!isOffered) return null

  return (
    <Button
      ref={button}
      variant="primary"
      aria-label={isPending ? undefined : `Re-apply ${what}`}
      icon={RotateCcw}
      busy={isPending}
      busyLabel="Asking"
      disabledReason={isUnderWay ? 'It was asked for already; the host PC has not answered yet.' : undefined}
      onFocus={() => {
        hadFocus.current = true
      }}
      onBlur={() => {
        hadFocus.current = false
      }}
      onClick={() => mutate({ params: { organizationId, serialNumber: device.serialNumber } })}
    >
      Re-apply
    </Button>
  )
}
