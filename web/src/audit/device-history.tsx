import { paths } from '../paths.ts'
import './audit.css'
import { useNavigate } from 'react-router'
import { Panel } from '../ui/layout/panel.tsx'
import { wholeLog, writeView } from './audit-address.ts'
import { AuditEntries } from './audit-entries.tsx'

/** Every entry of the audit log that names a reader. What entries have in common is looked up in the whole log. */
export function DeviceHistory({ organizationId, serialNumber }: { organizationId: string; serialNumber: string }) {
  const navigate = useNavigate()
  return (
    <Panel title="History" flush>
      <AuditEntries
        log={organizationId}
        filter={{}}
        serialNumber={serialNumber}
        onNarrow={(parts) => void navigate(paths.auditLog(writeView({ ...wholeLog, ...parts })))}
      />
    </Panel>
  )
}
