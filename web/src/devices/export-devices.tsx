import { Download } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../lib/api.ts'
import { saveFile } from '../lib/save-file.ts'
import { Button } from '../ui/button.tsx'
import { useToast } from '../ui/toast.tsx'
import { type DeviceList, filterOf } from './device-list.ts'

/** Downloads every reader the list shows, in its order, under the name the server gives; "devices.csv" by default (spec §7). */
export function ExportDevices({ organizationId, list }: { organizationId: string; list: DeviceList }) {
  const api = useApi()
  const toast = useToast()
  const [busy, setBusy] = useState(false)

  async function exportAll() {
    setBusy(true)
    try {
      saveFile(await api.download('downloadDevices', { params: { organizationId }, query: filterOf(list) }, 'devices.csv'))
    } catch (error) {
      toast({ title: 'Devices not exported', detail: (error as Error).message, bad: true })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button icon={Download} busy={busy} busyLabel="Exporting" onClick={exportAll}>
      Export to Excel
    </Button>
  )
}
