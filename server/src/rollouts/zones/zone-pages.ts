import type { zoneColumns, zoneFilters } from '@lectern/contract/rollouts/rollout-filters.ts'
import type { RolloutPartPage, RolloutState } from '@lectern/contract/rollouts/rollouts.ts'
import type { Database } from '../../lib/database/database.ts'
import { notFound } from '../../lib/http/problem.ts'
import { toPart } from '../parts.ts'
import { selectPartsOfZones, selectZonePage, type ZoneKey } from '../parts-sql.ts'
import { countZones, type ScopedRollout, selectRollout } from '../sql.ts'
import { combineZone, computeStates } from './states.ts'
import { type StateFactsRow, selectZoneStateFacts } from './states-sql.ts'

interface ZoneQuery {
  PageNumber: number
  PageSize: number
  textFilter: string
  state?: (typeof zoneFilters)[number] | undefined
  ColumnName: (typeof zoneColumns)[number]
  Direction: 'Ascending' | 'Descending'
}

const toKey = ({ zone_id, name }: ZoneKey): string => `${zone_id ?? ''} ${name}`

interface ZoneFigures extends ZoneKey {
  state: RolloutState
  failed: number
  left: number
}

const sum = (rows: readonly StateFactsRow[], count: (row: StateFactsRow) => number): number =>
  rows.reduce((all, row) => all + count(row), 0)

const countLeft = ({ readers, applied, failed, replaced_at }: StateFactsRow): number =>
  replaced_at === null ? readers - applied - failed : 0

// Returns the rollout's zones that match, in order. Reads kept figures of all its publications, and no reader.
async function findZones(db: Database, rollout: ScopedRollout, query: ZoneQuery, now: Date): Promise<ZoneKey[]> {
  const rows = await selectZoneStateFacts(db, rollout, query.textFilter)
  const states = await computeStates(db, rollout.organizationId, rows, now)
  const zones = Map.groupBy(rows, toKey)
  const figures = [...zones.values()].map((parts): ZoneFigures => {
    const { name, zone_id } = parts[0]!
    const state = combineZone(parts, states)
    return { name, zone_id, state, failed: sum(parts, ({ failed }) => failed), left: sum(parts, countLeft) }
  })
  const matches = ({ state, failed }: ZoneFigures) =>
    query.state === undefined || (query.state === 'failed' ? failed > 0 : state === query.state)
  return sortZones(figures.filter(matches), query)
}

// Sorts zones that come by name. Zones with equal figures stay in that order.
function sortZones(zones: readonly ZoneFigures[], { ColumnName: column, Direction: direction }: ZoneQuery): ZoneFigures[] {
  const isDescending = direction === 'Descending'
  if (column === 'Name') return isDescending ? zones.toReversed() : [...zones]
  const count = (zone: ZoneFigures) => (column === 'Failed' ? zone.failed : zone.left)
  return zones.toSorted((one, other) => (isDescending ? count(other) - count(one) : count(one) - count(other)))
}

// Returns a page of the rollout's zones, with all models of each. All zones are read unless the page is of every zone by name.
export async function listRolloutParts(db: Database, rollout: ScopedRollout, query: ZoneQuery): Promise<RolloutPartPage> {
  const { PageNumber: pageNumber, PageSize: pageSize } = query
  const row = await selectRollout(db, rollout)
  if (!row) throw notFound('rollout')
  const textFilter = query.textFilter.trim()
  const now = new Date()
  const page = { offset: pageNumber * pageSize, size: pageSize }
  const readParts = async (zones: readonly ZoneKey[]) => {
    const parts = Map.groupBy(await selectPartsOfZones(db, rollout, zones), toKey)
    return zones.flatMap((zone) => parts.get(toKey(zone)) ?? []).map((part) => toPart(part, now))
  }
  if (query.state !== undefined || query.ColumnName !== 'Name') {
    const zones = await findZones(db, rollout, { ...query, textFilter }, now)
    const partList = await readParts(zones.slice(page.offset, page.offset + page.size))
    return { partList, pageNumber, pageSize, totalCount: zones.length }
  }
  const byName = { textFilter, isDescending: query.Direction === 'Descending', ...page }
  const [partList, totalCount] = await Promise.all([
    selectZonePage(db, rollout, byName).then(readParts),
    textFilter === '' ? row.zone_count : countZones(db, rollout, textFilter),
  ])
  return { partList, pageNumber, pageSize, totalCount }
}
