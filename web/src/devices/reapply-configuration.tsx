import type { DeviceConfiguration } from '@lectern/contract/configuration.ts'
import type { Device } from '@lectern/contract/devices.ts'
import { RotateCcw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { useMutation } from '../lib/query.ts'
import { usePermission } from '../lib/session.ts'
import { Button } from '../ui/button.tsx'
import { useToast } from '../ui/toast.tsx'

/** Has a reader that drifted or failed given what its zone wants once more; not there where that is pointless or not allowed. */
export function ReapplyConfiguration({ device, configuration }: { device: Device; configuration: DeviceConfiguration }) {
  const mayReapply = usePermission('manage:cfg')
  const organizationId = useOrganization()
  const toast = useToast()
  const { standing, reapplication } = configuration
  const { mutate, isPending } = useMutation('reapplyConfiguration', {
    stale: ['getDeviceConfiguration', 'listAuditEntries'],
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
