import type { AuditFilter } from '@lectern/contract/audit.ts'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { saveFile } from '../lib/save-file.ts'
import { Button } from '../ui/button.tsx'
import { useToast } from '../ui/toast.tsx'
import { type Log, useAuditDownload } from './use-audit-log.ts'

/** Downloads every entry the log shows, under the name the server gives. */
export function ExportAuditLog({ log, filter }: { log: Log; filter: AuditFilter }) {
  const download = useAuditDownload(log)
  const toast = useToast()
  const [busy, setBusy] = useState(false)

  async function exportAll() {
    setBusy(true)
    try {
      saveFile(await download(filter))
    } catch (error) {
      toast({ title: 'Audit log not exported', detail: (error as Error).message, bad: true })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button icon={Download} busy={busy} busyLabel="Exporting" onClick={exportAll}>
      Export to CSV
    </Button>
  )
}
