import type { Zone } from '@lectern/contract/zones.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useQueryProblem } from '../ui/feedback/query-states.tsx'
import { findChanges } from './many/chosen-zones.ts'
import type { ConfigZone } from './wizard-state.ts'
import { summarizeZones, type ZoneSummary } from './zone-summary.ts'

export interface ZoneData {
  zones: readonly Zone[] | undefined
  problem: ReactNode
  /** Sums of the chosen zones; undefined until they are loaded, and where that failed. */
  summary: ZoneSummary | undefined
  summaryProblem: Error | null
  isDeleted: boolean
  /** How the zones have changed since they were chosen; null where they have not. */
  changes: ReturnType<typeof findChanges>
  refresh: () => void
}

const listIds = ({ id, many }: ConfigZone): string[] => many?.zones.map((zone) => zone.id) ?? [id]

export function useZoneData(chosen: ConfigZone | null): ZoneData {
  const params = { organizationId: useOrganization() }
  const zones = useQuery(q('listZones', { params }))
  const overviews = useQuery(q('listZoneOverviews', { params, query: { hosts: 'counted' } }))
  const schedule = useQuery(q('getSchedule', { params }))
  return {
    zones: zones.data,
    problem: useQueryProblem(zones, 'Error loading zones'),
    summary: chosen && overviews.data && schedule.data ? summarizeZones(overviews.data, listIds(chosen), schedule.data) : undefined,
    summaryProblem: (overviews.data ? null : overviews.error) ?? (schedule.data ? null : schedule.error),
    changes: chosen?.many && zones.data ? findChanges(chosen.many, zones.data) : null,
    isDeleted: chosen !== null && !chosen.many && zones.data !== undefined && !zones.data.some(({ id }) => id === chosen.id),
    refresh: () => {
      void zones.refetch()
      void overviews.refetch()
      void schedule.refetch()
    },
  }
}
