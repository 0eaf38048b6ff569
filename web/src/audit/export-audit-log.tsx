import type { AuditFilter } from '@lectern/contract/audit/audit.ts'
import { Download } from 'lucide-react'
import { saveFile } from '../lib/save-file.ts'
import { TaskButton } from '../ui/button/task-button.tsx'
import { type Log, useAuditDownload } from './use-audit-log.ts'

/** Downloads every entry the log shows, under the name the server gives. */
export function ExportAuditLog({ log, filter }: { log: Log; filter: AuditFilter }) {
  const download = useAuditDownload(log)
  return (
    <TaskButton icon={Download} busyLabel="Exporting" task={async () => saveFile(await download(filter))} failure="Audit log not exported">
      Export to CSV
    </TaskButton>
  )
}
