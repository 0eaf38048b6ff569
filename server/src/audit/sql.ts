import { type AuditFilter, countedEntries } from '@lectern/contract/audit/audit.ts'
import type { ChangeType } from '@lectern/contract/audit/changes.ts'
import { type Insertable, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { foldCounts } from '../lib/database/fold.ts'
import { boolean, instant, integer, orNull, read, text } from '../lib/database/rows.ts'
import type { AuditEntry, DB } from '../lib/database/schema.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import { containsPattern } from '../lib/like.ts'

type Origin = 'initiator_id' | 'initiator_email' | 'host_name' | 'address' | 'request_id'
type NewEntry = Omit<Insertable<AuditEntry>, Origin | 'initiator_name' | 'in_effect_since' | 'simulated' | 'depth'> & {
  simulated?: boolean
  depth?: number
}

const texts = ['change_type', 'target', 'new_value', 'zone_name', 'version', 'config_name', 'device_serial'] as const
const textColumns = () => sql.join(texts.map((column) => sql.ref(column)))

export const insertEntries = (db: Database, by: Pick<Insertable<AuditEntry>, Origin>, entries: readonly NewEntry[]) =>
  sql`
    insert into audit_entry (id, organization_id, ${textColumns()}, rollout_id, depth, initiator_id, initiator_email, host_name, address, request_id, simulated,
      initiator_name)
    select id, organization_id, ${textColumns()}, rollout_id, depth,
      ${by.initiator_id ?? null}::uuid, ${by.initiator_email ?? null}, ${by.host_name ?? null}, ${by.address ?? null}, ${by.request_id ?? null},
      is_simulated or exists (
        select from device d where d.organization_id = e.organization_id and d.serial_number = e.device_serial and d.simulated),
      (select nullif(trim(concat_ws(' ', first_name, last_name)), '') from "user" where "user".id = ${by.initiator_id ?? null})
    from unnest(${entries.map(({ id }) => id)}::uuid[], ${entries.map((entry) => entry.organization_id)}::int[],
      ${sql.join(texts.map((column) => sql`${entries.map((entry) => entry[column] ?? null)}::text[]`))},
      ${entries.map(({ rollout_id = null }) => rollout_id)}::uuid[], ${entries.map(({ depth = 0 }) => depth)}::smallint[],
      ${entries.map(({ simulated = false }) => simulated)}::boolean[]) as e (id, organization_id, ${textColumns()}, rollout_id, depth, is_simulated)`.execute(
    db,
  )

const movesPerReader = { amount: 10, hours: 24 }

/** Which of these readers have reached the daily bound of entries about moves (decision 46). */
export async function selectOftenMoved(db: Database, organizationId: number, serials: readonly string[]): Promise<Set<string>> {
  const rows = await read(
    db,
    { serialNumber: text(sql`device_serial`) },
    (list) => sql`
      select ${list} from audit_entry
      where organization_id = ${organizationId} and device_serial = any(${serials}::text[]) and change_type = 'moveDevice'
        and in_effect_since > now() - make_interval(hours => ${movesPerReader.hours})
      group by device_serial having count(*) >= ${movesPerReader.amount}`,
  )
  return new Set(rows.map(({ serialNumber }) => serialNumber))
}

export async function countEntriesToday(db: Database, organizationId: number, changeType: string, target: string): Promise<number> {
  const [row] = await read(
    db,
    { amount: integer(sql`count(*)`) },
    (list) => sql`
      select ${list} from audit_entry
      where organization_id = ${organizationId} and change_type = ${changeType} and target = ${target} and in_effect_since > now() - interval '1 day'`,
  )
  return row!.amount
}

type Entries = SelectQueryBuilder<DB, 'audit_entry', object>

/**
 * A log of an organization or of the vendor. `person`: whose own deeds a log of some zones shows besides. `created`: when each of its zones
 * was created, by name.
 */
export interface Log extends ZoneScope {
  person: { userId: string; email: string } | null
  created: Readonly<Record<string, string>>
}

export const selectCreated = (db: Database, { organizationId, zones }: ZoneScope) =>
  read(
    db,
    { name: text(sql`name`), created: text(sql`created_at`) },
    (list) => sql`select ${list} from zone where zone.organization_id = ${organizationId} and ${isInZones({ zones }, sql`zone.id`)}`,
  )

const ofLog = ({ organizationId }: Log): RawBuilder<boolean> => sql`audit_entry.organization_id = ${organizationId}`

// Entries name their zone. One that is older than the zone is about another zone of that name. Names and times are passed as values: the
// planner then estimates how many entries they have, and no entry looks its zone up.
function isInLog({ zones, person, created }: Log): RawBuilder<boolean>[] {
  if (zones === null) return []
  return [
    sql`((zone_name = any(${Object.keys(created)}::text[]) and in_effect_since >= (${JSON.stringify(created)}::jsonb ->> zone_name)::timestamptz)
      or (initiator_email = ${person?.email ?? null} and initiator_id = ${person?.userId ?? null}::uuid))`,
  ]
}

const splitWords = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

/** The deepest entries that lists show. */
export type FoldDepth = 0 | 1
export type EntryFilter = AuditFilter & { depth?: FoldDepth | null }

// The entry of a moved reader names the zone that it came from, which may be outside the role's zones.
const namesNoOtherZone = boolean(sql`audit_entry.change_type <> 'moveDevice'`)
const shownTarget = ({ zones }: Log) =>
  orNull(text(zones === null ? sql`audit_entry.target` : sql`case when ${namesNoOtherZone} then audit_entry.target end`)).as('target')

// By change type: SQL for the rollouts that have such a change in them. Their own entry may be of another type.
const inside = {
  ZoneConfigChange: sql`select rollout_id from rollout_content where content <> 'firmware' and organization_id =`,
  ZoneFirmwareChange: sql`select rollout_id from rollout_content where content = 'firmware' and organization_id =`,
  FirmwareInstalled: sql`select rollout_id from audit_fold where readers > 0 and organization_id =`,
} as const satisfies Partial<Record<ChangeType, RawBuilder<unknown>>>

export const isInside = (changeType: string | undefined): changeType is keyof typeof inside =>
  changeType !== undefined && Object.hasOwn(inside, changeType)

const isOfType = ({ organizationId }: Log, changeType: string, depth: FoldDepth | null): RawBuilder<boolean> =>
  depth !== null && isInside(changeType)
    ? sql`(audit_entry.change_type = ${changeType} or audit_entry.rollout_id in (${inside[changeType]} ${organizationId}))`
    : sql`audit_entry.change_type = ${changeType}`

function matching(db: Database, log: Log, filter: EntryFilter): Entries {
  const { textFilter = '', changeType, person, zone, device, from, to, rollout, depth } = filter
  let entries: Entries = db.selectFrom('audit_entry').where(ofLog(log))
  for (const condition of isInLog(log)) entries = entries.where(condition)
  const words = splitWords(textFilter)
  if (log.zones !== null && words.length > 0) entries = entries.where(namesNoOtherZone)
  for (const word of words) entries = entries.where('search', 'like', text(sql`lower(${containsPattern(word)})`))
  if (changeType !== undefined) entries = entries.where(isOfType(log, changeType, depth ?? null))
  if (person !== undefined) entries = entries.where('initiator_email', '=', person)
  if (zone !== undefined) entries = entries.where('zone_name', '=', zone)
  if (device !== undefined) entries = entries.where('device_serial', '=', device)
  if (from !== undefined) entries = entries.where('in_effect_since', '>=', instant(sql`${from}`))
  if (to !== undefined) entries = entries.where('in_effect_since', '<', instant(sql`${to}`))
  if (rollout !== undefined) entries = entries.where('rollout_id', '=', rollout)
  // Conditions in the form that the indexes have.
  if (depth === 0) entries = entries.where(sql<boolean>`audit_entry.depth = 0`)
  if (depth === 1) entries = entries.where(sql<boolean>`audit_entry.depth <= 1`)
  return entries
}

const inOrder = (entries: Entries, direction: 'asc' | 'desc') =>
  entries.orderBy('audit_entry.in_effect_since', direction).orderBy('audit_entry.id', direction)

/** `public_id` is the organization's. `user_email` is null where the person does not exist any more. */
const withColumns = (entries: Entries, log: Log) =>
  entries
    .leftJoin('user', 'user.id', 'audit_entry.initiator_id')
    .leftJoin('organization', 'organization.id', 'audit_entry.organization_id')
    .select(['audit_entry.id', 'organization.public_id', 'initiator_email', 'initiator_name', 'user.email as user_email'])
    .select(shownTarget(log))
    .select(['in_effect_since', 'change_type', 'new_value', 'zone_name', 'version', 'config_name', 'device_serial'])
    .select(['address', 'request_id', 'simulated', 'host_name', 'rollout_id'])

export type EntryRow = Awaited<ReturnType<ReturnType<typeof withColumns>['execute']>>[number]

export const selectEntries = (db: Database, log: Log, filter: EntryFilter) => withColumns(inOrder(matching(db, log, filter), 'desc'), log)

const cellColumns = [
  ...(['audit_entry.id', 'in_effect_since', 'change_type', 'new_value', 'zone_name', 'version', 'config_name', 'device_serial'] as const),
  ...(['initiator_id', 'initiator_email', 'initiator_name', 'address', 'request_id', 'simulated', 'host_name', 'rollout_id'] as const),
]

/** @param cells of `audit_entry` and its initiator `"user"` */
export const selectCells = (db: Database, log: Log, filter: AuditFilter, cells: readonly RawBuilder<unknown>[]) =>
  inOrder(db.selectFrom(matching(db, log, filter).select(shownTarget(log)).select(cellColumns).as('audit_entry')), 'desc')
    .leftJoin('user', 'user.id', 'audit_entry.initiator_id')
    .select(cells.map((cell, number) => cell.as(`${number}`)))

interface Place {
  /** The id of an entry after which the page begins; `offset` counts from there. */
  before?: string | undefined
  offset: number
  size: number
  fromEnd: boolean
}

export function selectEntryPage(
  db: Database,
  log: Log,
  filter: EntryFilter,
  { before, offset, size, fromEnd }: Place,
): Promise<EntryRow[]> {
  let entries = matching(db, log, filter)
  if (before !== undefined) {
    const there = sql`(select in_effect_since from audit_entry where id = ${before} and ${ofLog(log)})`
    entries = entries.where(sql<boolean>`(audit_entry.in_effect_since, audit_entry.id) < (${there}, ${before}::uuid)`)
  }
  // Reads columns of the index alone: entries before the page touch no table.
  const page = inOrder(entries, fromEnd ? 'asc' : 'desc')
    .select('audit_entry.id')
    .offset(offset)
    .limit(size)
  return withColumns(inOrder(db.selectFrom('audit_entry').where(ofLog(log)).where('audit_entry.id', 'in', page), 'desc'), log).execute()
}

export async function countEntries(db: Database, log: Log, filter: EntryFilter): Promise<number> {
  const some = matching(db, log, filter)
    .select('audit_entry.id')
    .limit(countedEntries + 1)
  const { amount } = await db.selectFrom(some.as('some')).select(integer(sql`count(*)`).as('amount')).executeTakeFirstOrThrow()
  return amount
}

const newest = (db: Database, log: Log) =>
  inOrder(matching(db, log, {}), 'desc')
    .select(['change_type', 'initiator_email', 'zone_name'])
    .limit(countedEntries)
    .as('newest')

/** Counts only the newest entries of a log of some zones, as no sums are kept for it. */
export const selectTypeCounts = (db: Database, log: Log) => (log.zones === null ? selectKeptCounts(db, log) : selectNewestCounts(db, log))

const selectNewestCounts = (db: Database, log: Log) =>
  db
    .selectFrom(newest(db, log))
    .select(['change_type', integer(sql`count(*)`).as('amount'), integer(sql`count(*)`).as('heads')])
    .groupBy('change_type')
    .orderBy('change_type')
    .execute()

const selectKeptCounts = (db: Database, log: Log) =>
  db
    .selectFrom('audit_count')
    .select(['change_type', integer(sql`sum(amount)`).as('amount'), integer(sql`sum(heads)`).as('heads')])
    .where('organization_id', '=', log.organizationId)
    .groupBy('change_type')
    .orderBy('change_type')
    .execute()

export const foldTypeCounts = (db: Database) => foldCounts(db, { table: 'audit_count', keys: ['change_type'], sums: ['amount', 'heads'] })

const folded = ['zones', 'parts', 'readers'] as const

export const foldFolds = (db: Database) => foldCounts(db, { table: 'audit_fold', keys: ['rollout_id'], sums: folded })

export const selectFolds = (db: Database, { organizationId }: Log, rollouts: readonly string[]) =>
  read(
    db,
    {
      rollout: text(sql`rollout_id`),
      zones: integer(sql`sum(zones)`),
      parts: integer(sql`sum(parts)`),
      readers: integer(sql`sum(readers)`),
    },
    (list) => sql`
      select ${list} from audit_fold where organization_id = ${organizationId} and rollout_id = any(${rollouts}::uuid[]) group by rollout_id`,
  )

/** For logs of all zones only, as rollouts' names have names of zones and tags in them (decision 85). */
export const selectRolloutNames = (db: Database, { organizationId }: Log, rollouts: readonly string[]) =>
  read(
    db,
    { id: text(sql`id`), name: orNull(text(sql`name`)), zone_words: orNull(text(sql`zone_words`)) },
    (list) => sql`
      select ${list} from rollout where organization_id = ${organizationId} and id = any(${rollouts}::uuid[]) and coalesce(name, zone_words) is not null`,
  )

const mostChoices = 1_000

type ChoiceColumn = 'initiator_email' | 'zone_name'

export async function selectValues(db: Database, log: Log, column: ChoiceColumn): Promise<string[]> {
  if (log.zones === null) return selectAllValues(db, log, column)
  const found = db
    .selectFrom(newest(db, log))
    .select(text(sql.ref(column)).as('value'))
    .distinct()
    .where(column, 'is not', null)
  return (await found.orderBy('value').limit(mostChoices).execute()).map(({ value }) => value)
}

// Steps through the column's index from one value to the next. The cost grows with the values, not with the log.
async function selectAllValues(db: Database, log: Log, column: ChoiceColumn): Promise<string[]> {
  const value = sql.ref(column)
  const rows = await read(
    db,
    { value: text(sql`value`) },
    (list) => sql`
      with recursive found as (
        (select ${value} as value from audit_entry where ${ofLog(log)} and ${value} is not null order by ${value} limit 1)
        union all
        select (select ${value} from audit_entry where ${ofLog(log)} and ${value} > found.value order by ${value} limit 1)
        from found where found.value is not null
      )
      select ${list} from found where value is not null limit ${mostChoices}`,
  )
  return rows.map((row) => row.value)
}
