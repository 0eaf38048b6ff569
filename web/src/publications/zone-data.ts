import type { Zone } from '@lectern/contract/zones.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useQueryProblem } from '../ui/feedback/query-states.tsx'
import type { ConfigZone } from './wizard.ts'
import { summarizeZone, type ZoneSummary } from './zone-summary.ts'

export interface ZoneData {
  zones: readonly Zone[] | undefined
  problem: ReactNode
  /** Of the chosen zone; undefined while it is loading, or could not be loaded. */
  summary: ZoneSummary | undefined
  summaryProblem: Error | null
  isDeleted: boolean
  refresh: () => void
}

export function useZoneData(chosen: ConfigZone | null): ZoneData {
  const params = { organizationId: useOrganization() }
  const zones = useQuery(q('listZones', { params }))
  const overviews = useQuery(q('listZoneOverviews', { params }))
  const schedule = useQuery(q('getSchedule', { params }))
  return {
    zones: zones.data,
    problem: useQueryProblem(zones, 'Error loading zones'),
    summary: chosen && overviews.data && schedule.data ? summarizeZone(overviews.data, chosen.id, schedule.data) : undefined,
    summaryProblem: (overviews.data ? null : overviews.error) ?? (schedule.data ? null : schedule.error),
    isDeleted: chosen !== null && zones.data !== undefined && !zones.data.some(({ id }) => id === chosen.id),
    refresh: () => {
      void zones.refetch()
      void overviews.refetch()
      void schedule.refetch()
    },
  }
}
