import { useNavigate } from 'react-router'
import { paths } from '../paths.ts'
import { Panel } from '../ui/layout/panel.tsx'
import { auditAddress } from './audit-address.ts'
import { AuditEntries } from './audit-entries.tsx'

export function DeviceHistory({ organizationId, serialNumber }: { organizationId: string; serialNumber: string }) {
  const navigate = useNavigate()
  return (
    <Panel title="History" flush>
      <AuditEntries
        log={organizationId}
        filter={{}}
        serialNumber={serialNumber}
        onNarrow={(change) => void navigate(paths.auditLog(auditAddress.write({ ...auditAddress.first, ...change })))}
      />
    </Panel>
  )
}
