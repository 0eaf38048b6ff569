import { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import type { SavedConfiguration } from '@lectern/contract/library.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { q, useMutation } from '../lib/api/query.ts'
import { useToast } from '../ui/feedback/toast.tsx'

/** The organization's saved configurations, and deleting them with a way back. */
export function useLibrary() {
  const organizationId = useOrganization()
  const showToast = useToast()
  const list = useQuery(q('listSavedConfigurations', { params: { organizationId } }))
  const restoring = useMutation('saveConfiguration', { onSuccess: () => showToast({ title: 'Configuration restored' }) })
  const deleting = useMutation('deleteSavedConfiguration')

  /** Deletes a configuration; Undo saves it again under its name. One for a device that is not supported could not be saved again. */
  async function remove({ device, name, commands }: SavedConfiguration) {
    await deleting.mutateAsync({ params: { organizationId, device, name } })
    const { data: deviceName } = BuilderDevice.safeParse(device)
    const restore = deviceName && (() => restoring.mutate({ params: { organizationId, deviceName, name }, body: commands }))
    showToast({ title: 'Configuration deleted', detail: name, ...(restore && { action: { label: 'Undo', press: restore } }) })
  }

  return { list, remove }
}
