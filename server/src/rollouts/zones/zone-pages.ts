import type { zoneColumns, zoneFilters } from '@lectern/contract/rollouts/rollout-filters.ts'
import type { RolloutPartPage, RolloutState } from '@lectern/contract/rollouts/rollouts.ts'
import type { Database } from '../../lib/database/database.ts'
import { notFound } from '../../lib/http/problem.ts'
import { toPart } from '../parts.ts'
import { selectPartsOfZones, selectZonePage, type ZoneKey } from '../parts-sql.ts'
import { countZones, type ScopedRollout, selectRollout } from '../sql.ts'
import { combine, computeStates } from './states.ts'
import { type StateRow, selectZoneStates } from './states-sql.ts'

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

const sum = (rows: readonly StateRow[], count: (row: StateRow) => number): number => rows.reduce((all, row) => all + count(row), 0)

const countLeft = ({ readers, applied, failed, replaced_at }: StateRow): number => (replaced_at === null ? readers - applied - failed : 0)

// All zones of a rollout in a state, in order. Reads kept figures of publications, and no readers.
async function findZones(db: Database, rollout: ScopedRollout, query: ZoneQuery, now: Date): Promise<ZoneKey[]> {
  const rows = await selectZoneStates(db, rollout, query.textFilter)
  const states = await computeStates(db, rollout.organizationId, rows, now)
  const zones = Map.groupBy(rows, toKey)
  const figures = [...zones.values()].map((parts): ZoneFigures => {
    const { name, zone_id } = parts[0]!
    const state = combine(parts, states)
    return { name, zone_id, state, failed: sum(parts, ({ failed }) => failed), left: sum(parts, countLeft) }
  })
  const matches = ({ state, failed }: ZoneFigures) =>
    query.state === undefined || (query.state === 'failed' ? failed > 0 : state === query.state)
  return sortZones(figures.filter(matches), query)
}

// Rows come by name, and zones with equal figures keep that order.
function sortZones(zones: readonly ZoneFigures[], { ColumnName: column, Direction: direction }: ZoneQuery): ZoneFigures[] {
  const isDescending = direction === 'Descending'
  if (column === 'Name') return isDescending ? zones.toReversed() : [...zones]
  const count = (zone: ZoneFigures) => (column === 'Failed' ? zone.failed : zone.left)
  return zones.toSorted((one, other) => (isDescending ? count(other) - count(one) : count(one) - count(other)))
}

// A page of the rollout's zones, with all models of each. In another order than by name, all zones are read.
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
