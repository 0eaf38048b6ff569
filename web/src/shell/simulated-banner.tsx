import './simulated-banner.css'
import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'

/** Shown on every page of an organization whose readers are all simulated; nothing else says so then (AGT-04, SEE-09). */
export function SimulatedBanner({ organizationId = '' }: { organizationId: string | undefined }) {
  const { data } = useQuery({ ...q('getOrganizationSummary', { params: { organizationId } }), enabled: organizationId !== '' })
  if (!data || data.readers === 0 || data.simulated !== data.readers) return null
  return (
    <aside
      aria-label="Simulated readers"
      className="simulated-banner border-b border-rule bg-surface-2 px-4 py-1 text-center text-13 text-ink-2"
    >
      All readers are simulated: they do not exist.
    </aside>
  )
}
