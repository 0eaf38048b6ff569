import { counted } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { BarOrganization } from '../ui/layout/top-bar.tsx'

/** What the bar says of an organization: its name, and how much it has as far as that is known. */
export function OrganizationSummary({ organizationId }: { organizationId: string }) {
  const params = { organizationId }
  const { data: organization } = useQuery(q('getOrganization', { params }))
  const { data: zones } = useQuery(q('listZones', { params }))
  const { data: totals } = useQuery(q('getDeviceTotals', { params }))
  if (!organization) return null
  const parts = [zones && counted(zones.length, 'zone'), totals && counted(totals.allDevices, 'reader')]
  return <BarOrganization name={organization.name || organization.id} detail={parts.filter(Boolean).join(' · ')} />
}
