import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { BackStrip } from '../ui/layout/strip.tsx'
import { AuditLog } from './audit-log.tsx'

export default function OrganizationAuditLogPage() {
  useDocumentTitle('Audit Log')
  const { organizationId = '' } = useParams()
  const { data } = useQuery(q('getOrganization', { params: { organizationId } }))
  return (
    <>
      <BackStrip to={paths.organizations()} label="All Organizations" />
      <AuditLog
        log={organizationId}
        intro={`Every change in ${data?.name || organizationId}, newest first. Entries cannot be edited or removed.`}
      />
    </>
  )
}
