import type { Device } from '@lectern/contract/devices/devices.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useNavigate } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { useMutation } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import { useConfirmDelete } from '../ui/dialog/confirm-delete.tsx'

export function DeleteDevice({ device: { serialNumber }, back }: { device: Device; back: string }) {
  const organizationId = useOrganization()
  const navigate = useNavigate()
  const client = useQueryClient()
  const confirmDelete = useConfirmDelete()
  const { mutateAsync } = useMutation('deleteDevice', { errorInPlace: true })

  async function askToDelete() {
    const isDeleted = await confirmDelete({
      resource: 'Reader',
      label: serialNumber,
      title: `the reader ${serialNumber}`,
      consequence:
        'No host PC reports it any more. It leaves lists, counts and rollouts; the audit log keeps its entries. When a host PC reports it again, it comes back as new. This cannot be undone.',
      delete: () => mutateAsync({ params: { organizationId, serialNumber } }),
    })
    if (!isDeleted) return
    await navigate(back)
    client.removeQueries({ queryKey: ['getDevice'] })
  }

  return (
    <Button variant="danger" icon={Trash2} onClick={() => void askToDelete()}>
      Delete
    </Button>
  )
}
