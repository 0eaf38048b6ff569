import type { Zone } from '@lectern/contract/zones.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { type ZoneStanding, zoneStanding } from './select/zone-standing.ts'
import type { ConfigZone } from './wizard.ts'

/** The organization's zones, and what stands in the chosen one. */
export type ZoneData = {
  zones: readonly Zone[] | undefined
  /** Why the zones could not be loaded. */
  problem: string | null
  /** Undefined while it is loading, or could not be loaded. */
  standing: ZoneStanding | undefined
  /** Why the counts could not be loaded. */
  standingProblem: string | null
  /** The chosen zone is no longer there. */
  isGone: boolean
  /** Asks again for both. */
  refresh: () => void
}

const toProblem = (error: Error | null): string | null => error && (error.message || 'unknown error')

export function useZoneData(chosen: ConfigZone | null): ZoneData {
  const params = { organizationId: useOrganization() }
  const zones = useQuery(q('listZones', { params }))
  const overviews = useQuery(q('listZoneOverviews', { params }))
  return {
    zones: zones.data,
    problem: toProblem(zones.data ? null : zones.error),
    standing: chosen && overviews.data ? zoneStanding(overviews.data, chosen.id) : undefined,
    standingProblem: toProblem(overviews.data ? null : overviews.error),
    isGone: chosen !== null && zones.data !== undefined && !zones.data.some(({ id }) => id === chosen.id),
    refresh: () => {
      void zones.refetch()
      void overviews.refetch()
    },
  }
}
