import { useNavigate } from 'react-router'
import { paths } from '../paths.ts'
import { Panel } from '../ui/layout/panel.tsx'
import { auditAddress } from './audit-address.ts'
import { AuditEntries, type useAuditEntries } from './audit-entries.tsx'

export function DeviceHistory({ query }: { query: ReturnType<typeof useAuditEntries> }) {
  const navigate = useNavigate()
  return (
    <Panel title="History" flush>
      <AuditEntries
        query={query}
        onNarrow={(change) => void navigate(paths.auditLog(auditAddress.write({ ...auditAddress.first, ...change })))}
      />
    </Panel>
  )
}
