import { useOrganization } from '../lib/active-organization.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { AuditLog } from './audit-log.tsx'

export default function AuditLogPage() {
  useDocumentTitle('Audit Log')
  return (
    <AuditLog log={useOrganization()} isOwn intro="Every change in your organization, newest first. Entries cannot be edited or removed." />
  )
}
