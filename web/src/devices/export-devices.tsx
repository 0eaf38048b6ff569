import { Download } from 'lucide-react'
import { useApi } from '../lib/api/api.ts'
import { saveFile } from '../lib/save-file.ts'
import { TaskButton } from '../ui/button/task-button.tsx'
import { type DeviceList, toFilter } from './device-list.ts'

/** Downloads every reader the list shows, in its order, under the name the server gives; "devices.csv" by default (spec §7). */
export function ExportDevices({ organizationId, list }: { organizationId: string; list: DeviceList }) {
  const api = useApi()
  return (
    <TaskButton
      icon={Download}
      busyLabel="Exporting"
      task={async () =>
        saveFile(await api.download('downloadDevices', { params: { organizationId }, query: toFilter(list) }, 'devices.csv'))
      }
      failure="Devices not exported"
    >
      Export to Excel
    </TaskButton>
  )
}
