import './simulated-banner.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { q } from '../lib/api/query.ts'
import { simulatedKey } from '../lib/known-member.ts'
import { readStored, writeStored } from '../lib/stored-text.ts'

/** On every page of an organization whose readers are all simulated: then nothing else says so (AGT-04, SEE-09). */
export function SimulatedBanner({ organizationId = '' }: { organizationId: string | undefined }) {
  const { data } = useQuery({ ...q('getOrganizationSummary', { params: { organizationId } }), enabled: organizationId !== '' })
  const counted = data && data.readers > 0 && data.simulated === data.readers
  useEffect(() => {
    if (counted !== undefined) writeStored(simulatedKey, counted ? organizationId : '')
  }, [organizationId, counted])
  // As this browser saw it last, until the server has counted them, so that nothing moves.
  if (!(counted ?? (organizationId !== '' && readStored(simulatedKey) === organizationId))) return null
  return (
    <aside
      aria-label="Simulated readers"
      className="simulated-banner border-b border-rule bg-surface-2 px-4 py-1 text-center text-13 text-ink-2"
    >
      All readers are simulated: they do not exist.
    </aside>
  )
}
