import type { RolloutChoices, RolloutFilter, RolloutListFilter } from '@lectern/contract/rollouts/rollout-filters.ts'
import type { Rollout, RolloutPage, RolloutState } from '@lectern/contract/rollouts/rollouts.ts'
import type { Database } from '../../lib/database/database.ts'
import type { ZoneScope } from '../../lib/database/zone-scope.ts'
import type { EventHub } from '../../lib/event-hub.ts'
import { type EventSource, openForMs, type Viewer } from '../../lib/http/send-events.ts'
import { toContent, toPart } from '../parts.ts'
import { selectParts } from '../parts-sql.ts'
import { addLimitHalts, hasReadableParts, isUnderWay, partsRead, toRollout, toSummedRollout } from '../rollouts.ts'
import { type SummedRow, selectContents } from '../sql.ts'
import { combine, computeStates } from '../zones/states.ts'
import { selectCurrentStates } from '../zones/states-sql.ts'
import {
  countRollouts,
  type ListFilter,
  type SettledState,
  selectPublishers,
  selectRollouts,
  selectSettled,
  selectUnderWay,
} from './list-sql.ts'

type ListQuery = RolloutListFilter & { PageNumber: number; PageSize: number }

const settledStates: readonly RolloutFilter[] = ['complete', 'replaced', 'empty', 'failed'] satisfies SettledState[]
const isSettled = (state: RolloutFilter): state is SettledState => settledStates.includes(state)

// The bound is by zones and models, not by rollouts: readers wait for no more publications than these are.
async function findUnderWay(db: Database, scope: ZoneScope, filter: RolloutFilter, now: Date): Promise<string[]> {
  const rollouts = await addLimitHalts(db, scope, await selectUnderWay(db, scope), () => true)
  const small = rollouts.filter(({ parts }) => parts <= partsRead).map(({ id }) => id)
  const rows = await selectCurrentStates(db, scope, small)
  const states = await computeStates(db, scope.organizationId, rows, now)
  const parts = Map.groupBy(rows, ({ rollout_id }) => rollout_id)
  const findState = ({ id, waiting, halted, halted_by_gate }: (typeof rollouts)[number]): RolloutState => {
    const own = parts.get(id)
    if (own) return combine(own, states)
    return halted_by_gate || halted === waiting ? 'halted' : 'underWay'
  }
  const matches = (state: RolloutState) => (filter === 'underWay' ? state !== 'halted' : state === filter)
  return rollouts.filter((rollout) => matches(findState(rollout))).map(({ id }) => id)
}

async function toFilter(db: Database, scope: ZoneScope, { state, ...rest }: ListQuery, now: Date): Promise<ListFilter> {
  if (state === undefined) return rest
  const ids = isSettled(state) ? await selectSettled(db, scope, state) : await findUnderWay(db, scope, state, now)
  return { ...rest, ids }
}

export async function listRollouts(db: Database, scope: ZoneScope, query: ListQuery): Promise<RolloutPage> {
  const { PageNumber, PageSize } = query
  const now = new Date()
  const filter = await toFilter(db, scope, query, now)
  const page = await selectRollouts(db, scope, filter, { offset: PageNumber * PageSize, size: PageSize })
  const rows = await addLimitHalts(db, scope, page, isUnderWay)
  const ids = (some: readonly SummedRow[]) => some.map(({ id }) => id)
  const parts = Map.groupBy(
    await selectParts(db, scope, ids(rows.filter(hasReadableParts)), { withReaders: false }),
    ({ rollout_id }) => rollout_id,
  )
  const contents = Map.groupBy(await selectContents(db, scope, ids(rows)), ({ rollout_id }) => rollout_id)
  const toListed = (row: SummedRow): Rollout => {
    const summed = toSummedRollout(row, (contents.get(row.id) ?? []).map(toContent))
    const shown = (parts.get(row.id) ?? []).map((part) => toPart(part, now))
    if (shown.length === 0) return summed
    const { state, phaseWaitedFor, runs, counts } = toRollout(row, shown)
    return { ...summed, state, ...(phaseWaitedFor !== undefined && { phaseWaitedFor }), runs, counts }
  }
  return {
    rolloutList: rows.map(toListed),
    pageNumber: PageNumber,
    pageSize: PageSize,
    totalCount: await countRollouts(db, scope, filter),
  }
}

export async function getRolloutChoices(db: Database, scope: ZoneScope): Promise<RolloutChoices> {
  const people = await selectPublishers(db, scope)
  return { people: people.map(({ id, name }) => ({ id, name: name ?? '' })) }
}

// The first change is sent at once; further ones together, after so many milliseconds.
const atMostMs = 1_000

// Sends only that something has changed: each viewer reads its own page with its own filter.
export const watchRollouts =
  (events: EventHub, organizationId: number): EventSource =>
  (viewer: Viewer) => {
    let sent = 0
    let isWaiting = false
    let timer: NodeJS.Timeout | undefined
    const send = () => {
      isWaiting = false
      viewer.send({ id: String(++sent), event: 'rollouts', data: String(sent) })
      timer = setTimeout(() => {
        timer = undefined
        if (isWaiting) send()
      }, atMostMs)
    }
    const hear = () => {
      if (timer) isWaiting = true
      else send()
    }
    const unsubscribe = events.subscribe(organizationId, { hear, end: () => viewer.end() })
    const end = setTimeout(() => viewer.end(), openForMs)
    // Something may have changed between the reading of the page and this stream.
    send()
    return () => {
      clearTimeout(timer)
      clearTimeout(end)
      unsubscribe()
    }
  }
