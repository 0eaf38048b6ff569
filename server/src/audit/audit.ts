import { type AuditChoices, type AuditEntry, type AuditFilter, type AuditPage, countedEntries } from '@lectern/contract/audit/audit.ts'
import type { ChangeType } from '@lectern/contract/audit/changes.ts'
import { pageSizes } from '@lectern/contract/http/paging.ts'
import { zonesInSentence } from '@lectern/contract/text/names.ts'
import { uuidv7 } from 'uuidv7'
import type { Actor } from '../lib/actor.ts'
import { streamRows } from '../lib/database/cursor.ts'
import type { Database } from '../lib/database/database.ts'
import { wholeOrganization, type ZoneScope } from '../lib/database/zone-scope.ts'
import type { Person } from '../lib/http/caller.ts'
import {
  countEntries,
  countEntriesToday,
  type EntryFilter,
  type EntryRow,
  type FoldDepth,
  foldFolds,
  foldTypeCounts,
  insertEntries,
  isInside,
  type Log,
  selectCreated,
  selectEntries,
  selectEntryPage,
  selectFolds,
  selectOftenMoved,
  selectRolloutNames,
  selectTypeCounts,
  selectValues,
} from './sql.ts'

/** The log of changes that concern no organization. All other logs are called by their organization's number. */
export const vendorsLog = 0

/** The log of the active organization. */
export const findOwnLog = ({ organizations }: Person): number => organizations[0]?.id ?? vendorsLog

/** A change type fills only some of the fields (spec §3). `simulated`: also true where only the reader that it names is simulated. */
export interface Change {
  organization_id: number
  change_type: ChangeType
  target?: string | null
  new_value?: string | null
  zone_name?: string | null
  version?: string | null
  config_name?: string | null
  device_serial?: string | null
  simulated?: boolean
  rollout_id?: string
  depth?: Depth
}

/** Counts the entries of a change type and target in the last 24 hours. */
export const countToday = (db: Database, organizationId: number, changeType: ChangeType, target: string): Promise<number> =>
  countEntriesToday(db, organizationId, changeType, target)

/** How many entries of a rollout one entry represents: those of the rollout, of one zone, of one model in a zone, or only itself. */
export const depths = { rollout: 0, zone: 1, part: 2, reader: 3 } as const
type Depth = (typeof depths)[keyof typeof depths]

export const recordChange = (db: Database, actor: Actor, change: Change): Promise<void> => recordChanges(db, actor, [change])

export function recordChanges(db: Database, { caller, address, requestId }: Actor, changes: readonly Change[]): Promise<void> {
  const hostName = caller && 'hostId' in caller ? caller.name : null
  return recordChangesBy(db, { initiator: caller && 'userId' in caller ? caller : null, hostName, address, requestId }, changes)
}

interface Origin {
  initiator: Pick<Person, 'userId' | 'email'> | null
  hostName?: string | null
  // Null where the operator's own command makes the change.
  address: string | null
  requestId: string | null
}

// `initiator` need not be the caller of an endpoint.
export async function recordChangesBy(
  db: Database,
  { initiator, hostName = null, address, requestId }: Origin,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return
  const by = { initiator_id: initiator?.userId ?? null, initiator_email: initiator?.email ?? null, host_name: hostName }
  await insertEntries(
    db,
    { ...by, address, request_id: requestId },
    changes.map((change) => ({ id: uuidv7(), ...change })),
  )
}

/**
 * Records readers that were found at another host. After enough moves in a day a reader gets no further entry, as two hosts that both
 * report it would go on for ever.
 */
export async function recordMoves(db: Database, actor: Actor, moves: readonly (Change & { device_serial: string })[]): Promise<void> {
  const [first] = moves
  if (!first) return
  const serials = moves.map((move) => move.device_serial)
  const often = await selectOftenMoved(db, first.organization_id, serials)
  await recordChanges(
    db,
    actor,
    moves.filter((move) => !often.has(move.device_serial)),
  )
}

// Tries whether an entry can be written: writes one as a change does, and rolls it back.
export async function probeEntry(db: Database): Promise<void> {
  const transaction = await db.startTransaction().execute()
  try {
    await insertEntries(transaction, {}, [{ id: uuidv7(), organization_id: 0, change_type: 'ZoneCreate' }])
  } finally {
    await transaction.rollback().execute()
  }
}

export async function sweepAuditCounts(db: Database): Promise<void> {
  await foldTypeCounts(db)
  await foldFolds(db)
}

const toEntry = (row: EntryRow): AuditEntry => ({
  id: row.id,
  organizationId: row.public_id,
  initiatorEmail: row.initiator_email,
  ...(row.user_email !== null && { user: { name: row.initiator_name ?? row.initiator_email ?? row.user_email, email: row.user_email } }),
  inEffectSince: row.in_effect_since.toISOString(),
  changeType: row.change_type,
  ...(row.target !== null && { target: row.target }),
  ...(row.new_value !== null && { newValue: row.new_value }),
  ...(row.zone_name !== null && { zoneName: row.zone_name }),
  ...(row.version !== null && { version: row.version }),
  ...(row.config_name !== null && { configName: row.config_name }),
  ...(row.device_serial !== null && { deviceSerial: row.device_serial }),
  ...(row.address !== null && { address: row.address }),
  ...(row.request_id !== null && { requestId: row.request_id }),
  ...(row.simulated && { simulated: true }),
  ...(row.host_name !== null && { hostName: row.host_name }),
  ...(row.rollout_id !== null && { rollout: row.rollout_id }),
})

/** Finds what a person may read of an organization's log. */
export async function findLog(db: Database, { organizationId, zones }: ZoneScope, { userId, email }: Person): Promise<Log> {
  const named = zones === null ? [] : await selectCreated(db, { organizationId, zones })
  const created = Object.fromEntries(named.map((zone) => [zone.name, zone.created]))
  return { organizationId, zones, person: { userId, email }, created }
}

export const vendorsEntries: Log = { ...wholeOrganization(vendorsLog), person: null, created: {} }

type Query = AuditFilter & { PageNumber?: number; PageSize?: number; before?: string; fold?: boolean }

export function listEntries(db: Database, log: Log, query: Query): Promise<AuditPage> | AsyncGenerator<AuditEntry> {
  const { PageNumber, PageSize, before } = query
  const filter = { ...query, depth: findDepth(log, query) }
  if (PageNumber === undefined && PageSize === undefined && before === undefined) return streamEntries(db, log, filter)
  return getPage(db, log, filter, { pageNumber: PageNumber ?? 0, pageSize: PageSize ?? pageSizes[0], before })
}

/** Returns null where all entries are shown. */
function findDepth({ zones }: Log, { fold, textFilter = '', device, rollout, zone }: Query): FoldDepth | null {
  if (!fold || textFilter.trim() !== '' || [device, rollout].some((part) => part !== undefined)) return null
  return zones === null && zone === undefined ? depths.rollout : depths.zone
}

export async function* streamEntries(db: Database, log: Log, filter: EntryFilter): AsyncGenerator<AuditEntry> {
  for await (const row of streamRows(db, selectEntries(db, log, filter))) yield toEntry(row)
}

async function getPage(
  db: Database,
  log: Log,
  filter: EntryFilter,
  { pageNumber, pageSize, before }: { pageNumber: number; pageSize: number; before: string | undefined },
): Promise<AuditPage> {
  const { total, hasMore } = await countTotal(db, log, filter)
  const offset = pageNumber * pageSize
  // Offsets count from the newest entry where the page follows a known entry, or the list's end is unknown.
  const fromEnd = before === undefined && !hasMore && offset > total / 2
  const size = fromEnd ? Math.min(pageSize, total - offset) : pageSize
  const rows =
    size <= 0 ? [] : await selectEntryPage(db, log, filter, { before, offset: fromEnd ? total - offset - size : offset, size, fromEnd })
  const entryList = filter.depth == null ? rows.map(toEntry) : await toFoldedEntries(db, log, rows)
  return { entryList, pageNumber, pageSize, totalCount: total, hasMore }
}

async function toFoldedEntries(db: Database, log: Log, rows: readonly EntryRow[]): Promise<AuditEntry[]> {
  const rollouts = rows.flatMap(({ rollout_id }) => rollout_id ?? [])
  const isWhole = log.zones === null && rollouts.length > 0
  const folds = isWhole ? await selectFolds(db, log, rollouts) : []
  const names = new Map((isWhole ? await selectRolloutNames(db, log, rollouts) : []).map((row) => [row.id, row]))
  return rows.map((row) => {
    const { rollout: _, ...folded } = folds.find(({ rollout }) => rollout === row.rollout_id) ?? { rollout: null }
    const { name = null, zone_words = null } = names.get(row.rollout_id ?? '') ?? {}
    return {
      ...toEntry(row),
      ...('zones' in folded && folded.parts + folded.readers > 1 && { folded }),
      ...(name !== null && { rolloutName: name }),
      ...(zone_words !== null && { rolloutZones: zonesInSentence(zone_words) }),
    }
  })
}

async function countTotal(db: Database, log: Log, filter: EntryFilter): Promise<{ total: number; hasMore: boolean }> {
  const { textFilter = '', changeType, person, zone, device, from, to, rollout, depth } = filter
  const isKept = depth == null || !isInside(changeType)
  if (
    isKept &&
    log.zones === null &&
    textFilter.trim() === '' &&
    [person, zone, device, from, to, rollout].every((part) => part === undefined)
  ) {
    const types = await selectTypeCounts(db, log)
    const shown = types.filter(({ change_type }) => changeType === undefined || change_type === changeType)
    return { total: shown.reduce((sum, { amount, heads }) => sum + (depth === depths.rollout ? heads : amount), 0), hasMore: false }
  }
  const amount = await countEntries(db, log, filter)
  return { total: Math.min(amount, countedEntries), hasMore: amount > countedEntries }
}

export async function getAuditChoices(db: Database, log: Log): Promise<AuditChoices> {
  const types = await selectTypeCounts(db, log)
  return {
    changeTypes: types.map(({ change_type, amount }) => ({ changeType: change_type, count: amount })),
    people: await selectValues(db, log, 'initiator_email'),
    zones: await selectValues(db, log, 'zone_name'),
  }
}
