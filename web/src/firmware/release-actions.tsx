import type { FirmwareRelease } from '@lectern/contract/firmware/firmware.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { Trash2 } from 'lucide-react'
import { useMutation } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { Confirm } from '../ui/dialog/confirm.tsx'
import { type Close, useDialog } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'

type Of = { release: FirmwareRelease }

const formatRelease = ({ version, device }: FirmwareRelease) => `${version} for ${device}`

/** An offered release can be withdrawn; a withdrawn one offered again, or deleted. */
export function ReleaseActions({ release }: Of) {
  const { open } = useDialog()
  const toast = useToast()
  const { mutate, isPending } = useMutation('offerFirmwareRelease', {
    onSuccess: () => toast({ title: 'Release offered again', detail: formatRelease(release) }),
  })
  const ask = (Question: typeof Withdraw) => open<boolean>((close) => <Question release={release} close={close} />)

  const way = release.isOffered
    ? { label: 'Withdraw', press: () => ask(Withdraw) }
    : { label: 'Offer again', press: () => mutate({ params: { id: release.id }, body: { isOffered: true } }) }
  return (
    <span className="inline-flex items-center gap-2">
      {/* One button for both ways, so that it keeps its focus. */}
      <Button small busy={isPending} aria-label={`${way.label}: ${formatRelease(release)}`} onClick={way.press}>
        {way.label}
      </Button>
      {!release.isOffered && <IconButton small bad icon={Trash2} label={`Delete ${formatRelease(release)}`} onClick={() => ask(Delete)} />}
    </span>
  )
}

/** What becomes of the zones that have it. */
function Zones({ zoneCount }: FirmwareRelease) {
  if (zoneCount === 0) return 'No zone has it now.'
  return zoneCount === 1
    ? 'One zone has it now and keeps it until other firmware is published there.'
    : `${formatNumber(zoneCount)} zones have it now and keep it until other firmware is published there.`
}

function Withdraw({ release, close }: Of & { close: Close<boolean> }) {
  const toast = useToast()
  const { mutateAsync } = useMutation('offerFirmwareRelease', { errorInPlace: true })

  async function withdraw() {
    await mutateAsync({ params: { id: release.id }, body: { isOffered: false } })
    toast({ title: 'Release withdrawn', detail: formatRelease(release) })
  }

  return (
    <Confirm title={`Withdraw ${formatRelease(release)}`} yes="Withdraw" destructive busyLabel="Withdrawing" close={close} onYes={withdraw}>
      Customers can no longer choose it. <Zones {...release} /> You can offer it again.
    </Confirm>
  )
}

function Delete({ release, close }: Of & { close: Close<boolean> }) {
  const toast = useToast()
  const { mutateAsync } = useMutation('deleteFirmwareRelease', { errorInPlace: true })

  async function remove() {
    await mutateAsync({ params: { id: release.id } })
    toast({ title: 'Release deleted', detail: formatRelease(release) })
  }

  return (
    <Confirm title={`Delete ${formatRelease(release)}`} yes="Delete" destructive busyLabel="Deleting" close={close} onYes={remove}>
      The release and its notes are gone. <Zones {...release} /> This cannot be undone.
    </Confirm>
  )
}
