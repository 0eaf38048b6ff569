import { useDocumentTitle } from '../lib/document-title.ts'
import { AuditLog } from './audit-log.tsx'

export default function VendorAuditLogPage() {
  useDocumentTitle('Audit Log')
  return (
    <AuditLog
      log={null}
      intro="Changes of products, ads and people without an organization, newest first. Entries cannot be edited or removed."
    />
  )
}
