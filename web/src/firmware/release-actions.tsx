import type { FirmwareRelease } from '@lectern/contract/firmware/firmware.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { Trash2 } from 'lucide-react'
import { useMutation } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { Confirm } from '../ui/dialog/confirm.tsx'
import { useConfirmDelete } from '../ui/dialog/confirm-delete.tsx'
import { type Close, useDialog } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'

interface ReleaseProps {
  release: FirmwareRelease
}

const formatRelease = ({ version, device }: FirmwareRelease) => `${version} for ${device}`

export function ReleaseActions({ release }: ReleaseProps) {
  const { open } = useDialog()
  const toast = useToast()
  const confirmDelete = useConfirmDelete()
  const params = { id: release.id }
  const label = formatRelease(release)
  const { mutate, isPending } = useMutation('offerFirmwareRelease', {
    onSuccess: () => toast({ title: 'Release offered again', detail: label }),
  })
  const { mutateAsync: deleteRelease } = useMutation('deleteFirmwareRelease', { errorInPlace: true })

  const toggle = release.isOffered
    ? { label: 'Withdraw', press: () => void open<boolean>((close) => <Withdraw release={release} close={close} />) }
    : { label: 'Offer again', press: () => mutate({ params, body: { isOffered: true } }) }
  const askToDelete = () =>
    confirmDelete({
      resource: 'Release',
      label,
      consequence: `The release and its notes are gone. ${describeZones(release)} This cannot be undone.`,
      delete: () => deleteRelease({ params }),
    })

  return (
    <span className="inline-flex items-center gap-2">
      {/* One button for both ways, so that it keeps its focus. */}
      <Button small busy={isPending} aria-label={`${toggle.label}: ${label}`} onClick={toggle.press}>
        {toggle.label}
      </Button>
      {!release.isOffered && <IconButton small bad icon={Trash2} label={`Delete ${label}`} onClick={askToDelete} />}
    </span>
  )
}

function describeZones({ zoneCount }: FirmwareRelease): string {
  if (zoneCount === 0) return 'No zone has it now.'
  return zoneCount === 1
    ? 'One zone has it now and keeps it until other firmware is published there.'
    : `${formatNumber(zoneCount)} zones have it now and keep it until other firmware is published there.`
}

function Withdraw({ release, close }: ReleaseProps & { close: Close<boolean> }) {
  const toast = useToast()
  const { mutateAsync } = useMutation('offerFirmwareRelease', { errorInPlace: true })

  async function withdraw() {
    await mutateAsync({ params: { id: release.id }, body: { isOffered: false } })
    toast({ title: 'Release withdrawn', detail: formatRelease(release) })
  }

  return (
    <Confirm title={`Withdraw ${formatRelease(release)}`} yes="Withdraw" destructive busyLabel="Withdrawing" close={close} onYes={withdraw}>
      Customers can no longer choose it. {describeZones(release)} You can offer it again.
    </Confirm>
  )
}
