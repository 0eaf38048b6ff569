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
import { combineZone, computeStates } from '../zones/states.ts'
import { selectCurrentStateFacts } from '../zones/states-sql.ts'
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

// Returns the ids of rollouts with waiting readers that are in the filter's state. Reads one row for each publication that readers wait
// for. That is one per
// zone, model and kind (more only after roll backs), however many rollouts there are.
async function findUnderWay(db: Database, scope: ZoneScope, filter: RolloutFilter, now: Date): Promise<string[]> {
  const rollouts = await addLimitHalts(db, scope, await selectUnderWay(db, scope), () => true)
  const small = rollouts.filter(({ parts }) => parts <= partsRead).map(({ id }) => id)
  const rows = await selectCurrentStateFacts(db, scope, small)
  const states = await computeStates(db, scope.organizationId, rows, now)
  const parts = Map.groupBy(rows, ({ rollout_id }) => rollout_id)
  const findState = ({ id, waiting, halted, halted_by_gate }: (typeof rollouts)[number]): RolloutState => {
    const own = parts.get(id)
    if (own) return combineZone(own, states)
    return halted_by_gate || halted === waiting ? 'halted' : 'underWay'
  }
  const matches = (state: RolloutState) => (filter === 'underWay' ? state !== 'halted' : state === filter)
  return rollouts.filter((rollout) => matches(findState(rollout))).map(({ id }) => id)
}

async function resolveState(db: Database, scope: ZoneScope, { state, ...rest }: ListQuery, now: Date): Promise<ListFilter> {
  if (state === undefined) return rest
  const ids = isSettled(state) ? await selectSettled(db, scope, state) : await findUnderWay(db, scope, state, now)
  return { ...rest, ids }
}

export async function listRollouts(db: Database, scope: ZoneScope, query: ListQuery): Promise<RolloutPage> {
  const { PageNumber, PageSize } = query
  const now = new Date()
  const filter = await resolveState(db, scope, query, now)
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

// In milliseconds. The first change is sent at once, and further ones together after this time.
const atMostMs = 1_000

// A stream that sends only that something has changed. Each viewer then reads its own page with its own filter.
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
    // Something may have changed after the page was read and before this stream was opened.
    send()
    return () => {
      clearTimeout(timer)
      clearTimeout(end)
      unsubscribe()
    }
  }
