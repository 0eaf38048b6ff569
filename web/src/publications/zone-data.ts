import type { Zone } from '@lectern/contract/zones.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import type { ConfigZone } from './wizard.ts'
import { summarizeZone, type ZoneSummary } from './zone-summary.ts'

export interface ZoneData {
  zones: readonly Zone[] | undefined
  problem: string | null
  /** Of the chosen zone; undefined while it is loading, or could not be loaded. */
  summary: ZoneSummary | undefined
  summaryProblem: string | null
  isDeleted: boolean
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
    summary: chosen && overviews.data ? summarizeZone(overviews.data, chosen.id) : undefined,
    summaryProblem: toProblem(overviews.data ? null : overviews.error),
    isDeleted: chosen !== null && zones.data !== undefined && !zones.data.some(({ id }) => id === chosen.id),
    refresh: () => {
      void zones.refetch()
      void overviews.refetch()
    },
  }
}
