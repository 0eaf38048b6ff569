import type { StoredKind } from '@lectern/contract/publications/content-kind.ts'
import { type RawBuilder, sql } from 'kysely'
import { type Database, inTransaction } from '../lib/database/database.ts'
import { foldCounts } from '../lib/database/fold.ts'
import { personName } from '../lib/database/names.ts'
import { boolean, instant, integer, orNull, type RowOf, read, text, texts } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import { containsPattern } from '../lib/like.ts'
import { changedPlaces, countPresent } from './present-sql.ts'
import { sumsOfZones } from './zones/zone-sums-sql.ts'

export const zonesNamed = 3

// SQL: whether the name of publication `p`'s zone contains the text.
export const isZoneNamed = (text: string): RawBuilder<unknown> =>
  text === '' ? sql`true` : sql`lower(p.zone_name) like lower(${containsPattern(text)})`

/** A rollout, in the scope's zones alone. */
export interface ScopedRollout extends ZoneScope {
  id: string
}

// SQL: whether the rollout has a publication in the scope's zones. `rollout`: its table or alias.
export const isVisible = (scope: ZoneScope, rollout: 'rollout' | 'r' | 'b'): RawBuilder<boolean> =>
  scope.zones === null
    ? sql`true`
    : sql`exists (
        select from publication p where p.organization_id = ${scope.organizationId} and p.rollout_id = ${sql.ref(`${rollout}.id`)}
          and ${isInZones(scope, sql`p.zone_id`)})`

// SQL: whether rollout `r` has a publication outside the scope's zones, or in a deleted zone.
export const hasOtherZones = ({ organizationId, zones }: ZoneScope) =>
  zones === null
    ? sql`false`
    : sql`exists (
        select from publication p where p.organization_id = ${organizationId} and p.rollout_id = r.id and (${isInZones({ zones }, sql`p.zone_id`)}) is not true)`

export const rolloutColumns = (scope: ZoneScope) => ({
  id: text(sql`r.id`),
  published_at: instant(sql`r.published_at`),
  published_by: personName('u'),
  name: orNull(text(sql`r.name`)),
  zone_words: orNull(text(sql`r.zone_words`)),
  rolls_back: orNull(text(sql`r.rolls_back`)),
  rolled_back_by: orNull(
    text(sql`
      select b.id from rollout b where b.organization_id = r.organization_id and b.rolls_back = r.id and ${isVisible(scope, 'b')}
      order by b.id desc limit 1`),
  ),
  has_other_zones: boolean(hasOtherZones(scope)),
})

/**
 * Reads the names of rollouts and the words of their zones. The words are null where the scope lacks one of the zones, as they could name
 * hidden zones and tags (decision 85).
 */
export const selectNames = (db: Database, scope: ZoneScope, ids: readonly string[]) =>
  read(
    db,
    {
      id: text(sql`r.id`),
      name: orNull(text(sql`r.name`)),
      zone_words: orNull(text(sql`case when ${hasOtherZones(scope)} then null else r.zone_words end`)),
      chosen_zones: orNull(integer(sql`r.chosen_zones`)),
    },
    (list) => sql`select ${list} from rollout r where r.organization_id = ${scope.organizationId} and r.id = any(${ids}::uuid[])`,
  )

/** Stores the name. Returns false where the rollout had this name already. */
export async function updateName(
  db: Database,
  { organizationId, id }: Pick<ScopedRollout, 'organizationId' | 'id'>,
  name: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('rollout')
    .set({ name })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('name', 'is distinct from', name)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type RolloutRow = RowOf<ReturnType<typeof rolloutColumns>>

// SQL: whether a gate has halted the rollout.
export const isHaltedByGate = (organizationId: RawBuilder<unknown>, rollout: RawBuilder<unknown>) => sql`exists (
  select from rollout_phase f where f.organization_id = ${organizationId} and f.rollout_id = ${rollout} and f.halted_at is not null)`

const sums = ['parts', 'zones', 'readers', 'applied', 'failed', 'replaced', 'ended', 'settled', 'halted', 'current', 'held', 'retryable']
export const sumColumns = (scope: ZoneScope) => ({
  parts: integer(sql`s.parts`),
  zone_count: integer(sql`s.zones`),
  // The kept sums `s` lack readers that came or left since the fold counted their zones; `m` has these.
  readers: integer(sql`s.readers + coalesce(m.readers, 0)`),
  applied: integer(sql`s.applied`),
  failed: integer(sql`s.failed`),
  replaced: integer(sql`s.replaced`),
  ended: integer(sql`s.ended`),
  settled: integer(sql`s.settled`),
  halted: integer(sql`s.halted + coalesce(m.halted, 0)`),
  current: integer(sql`s.current`),
  held: integer(sql`s.held`),
  halted_by_gate: boolean(sql`r.phase_ends is not null and ${isHaltedByGate(sql`r.organization_id`, sql`r.id`)}`),
  retryable: integer(sql`s.retryable`),
  zones: texts(sql`array(
    select zone_name from publication p where p.organization_id = r.organization_id and p.rollout_id = r.id and p.names_zone
      and ${isInZones(scope, sql`p.zone_id`)}
    order by lower(zone_name), zone_id limit ${zonesNamed})`),
  // Where the organization has no simulated reader, the rollout is not read.
  has_simulated:
    boolean(sql`case when exists (select from device where device.organization_id = r.organization_id and simulated) then exists (
    select from device d join publication p on p.organization_id = r.organization_id and p.zone_id = d.zone_id and p.device_type = d.device_type
    where d.organization_id = r.organization_id and d.simulated and p.rollout_id = r.id and ${isInZones(scope, sql`p.zone_id`)}
  ) or exists (
    select from device d join outcome o on o.organization_id = r.organization_id and o.device_id = d.id
    join publication p on p.organization_id = r.organization_id and p.id = o.publication_id
    where d.organization_id = r.organization_id and d.simulated and p.rollout_id = r.id and ${isInZones(scope, sql`p.zone_id`)}
  ) else false end`),
})

/**
 * A rollout with its sums and the names of its first zones. `parts`: its publications. `ended`: publications that were replaced before all
 * their readers were done. `settled`: outcomes of all other publications. `current`: publications that are not replaced. `held`: current
 * ones that are halted by hand. `halted`: their readers without an outcome.
 */
export type SummedRow = RolloutRow & RowOf<ReturnType<typeof sumColumns>>

const keptSums = (organizationId: number) => sql`
  select ${sql.join(sums.map((sum) => sql`sum(${sql.ref(sum)}) as ${sql.ref(sum)}`))}
  from rollout_count c where c.organization_id = ${organizationId} and c.rollout_id = r.id`

// SQL: selects, for each rollout, by how many its readers differ from what the fold counted. `halted`: of publications halted by hand.
export const movedReaders = ({ organizationId, zones }: ZoneScope) => sql`
  select p.rollout_id, sum(c.total - p.present) as readers, sum(c.total - p.present) filter (where p.halted_at is not null) as halted
  from (${changedPlaces(organizationId)}) change
  join publication p on p.organization_id = ${organizationId} and p.zone_id = change.zone_id and p.device_type = change.device_type
    and p.replaced_at is null and not p.for_readers and ${isInZones({ zones }, sql`p.zone_id`)}
  cross join lateral (${countPresent(organizationId)}) c group by 1`

// SQL: from the rollouts as `r`, with their kept sums `s`, the readers `m` that these lack, and the publisher `u`.
export const withSums = (scope: ZoneScope, rollouts: RawBuilder<unknown>) => sql`
  (${rollouts}) r cross join lateral (
    ${scope.zones === null ? keptSums(scope.organizationId) : sumsOfZones(scope)}
  ) s left join (${movedReaders(scope)}) m on m.rollout_id = r.id left join "user" u on u.id = r.published_by`

const contentColumns = {
  rollout_id: text(sql`rollout_id`),
  device_type: text(sql`device_type`),
  content: text<StoredKind>(sql`content`),
  content_hash: text(sql`content_hash`),
  file_name: orNull(text(sql`file_name`)),
  version: orNull(text(sql`version`)),
}

/** Reads the contents of rollouts with their models, each content once for each model. */
export const selectContents = (db: Database, scope: ZoneScope, ids: readonly string[]) =>
  read(db, contentColumns, (list) =>
    scope.zones === null
      ? sql`select ${list} from rollout_content where organization_id = ${scope.organizationId} and rollout_id = any(${ids}::uuid[])`
      : sql`
          select distinct ${list} from publication
          where organization_id = ${scope.organizationId} and rollout_id = any(${ids}::uuid[]) and ${isInZones(scope, sql`zone_id`)}`,
  )

const zonesPerFold = 500

/**
 * Counts `publication.present` anew in zones whose readers changed, then folds `rollout_count`. A zone that is locked, by another server's
 * fold or by a publish, is left for the next fold.
 */
export async function foldPresent(db: Database): Promise<void> {
  const changed = await db.selectFrom('present_change').select('organization_id').distinct().execute()
  for (const { organization_id } of changed)
    for (let folded = zonesPerFold; folded === zonesPerFold; )
      folded = await inTransaction(db, (transaction) => foldZones(transaction, organization_id))
  await foldCounts(db, { table: 'rollout_count', keys: ['rollout_id', 'device_type', 'block'], sums })
}

// Returns how many zones it counted.
async function foldZones(db: Database, organizationId: number): Promise<number> {
  const held = await read(
    db,
    { id: integer(sql`id`) },
    (list) => sql`
      select ${list} from zone
      where organization_id = ${organizationId} and id in (select zone_id from present_change where organization_id = ${organizationId})
      limit ${zonesPerFold} for no key update skip locked`,
  )
  // Publications are locked in the order of their ids, as reports lock them.
  await sql`
    with change as (
      delete from present_change where organization_id = ${organizationId} and (zone_id = any(${held.map(({ id }) => id)}::int[])
        or not exists (select from zone where zone.organization_id = ${organizationId} and zone.id = zone_id))
      returning zone_id, device_type
    ), counted as (
      select p.id, c.total from (select distinct zone_id, device_type from change) change
      join publication p on p.organization_id = ${organizationId} and p.zone_id = change.zone_id and p.device_type = change.device_type and p.replaced_at is null
        and not p.for_readers
      cross join lateral (${countPresent(organizationId)}) c where c.total <> p.present order by p.id for no key update of p
    )
    update publication p set present = counted.total from counted
    where p.organization_id = ${organizationId} and p.id = counted.id and p.replaced_at is null`.execute(db)
  return held.length
}

export async function hasRollout(db: Database, { id, ...scope }: ScopedRollout): Promise<boolean> {
  const rollout = db
    .selectFrom('rollout')
    .select('id')
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .where(isVisible(scope, 'rollout'))
  return (await rollout.executeTakeFirst()) !== undefined
}

/** Returns those of the zones that the rollout is published to. All are public ids. */
export async function selectPublishedAmong(db: Database, { organizationId, zones, id }: ScopedRollout, among: readonly string[]) {
  const rows = await read(
    db,
    { zone: text(sql`z.public_id`) },
    (list) => sql`
      select ${list} from zone z
      where z.organization_id = ${organizationId} and z.public_id = any(${among}) and ${isInZones({ zones }, sql`z.id`)}
        and exists (select from publication p where p.organization_id = ${organizationId} and p.zone_id = z.id and p.rollout_id = ${id})`,
  )
  return new Set(rows.map(({ zone }) => zone))
}

const limitColumns = {
  above_percent: orNull(integer(sql`r.halt_above_percent`)),
  stop_time: orNull(text(sql`r.stop_time`)),
  later_percent: orNull(integer(sql`o.halt_above_percent`)),
  later_stop_time: orNull(text(sql`o.stop_time`)),
  has_phases: boolean(sql`r.phase_ends is not null`),
}

/** Returns undefined where the scope's zones have no such rollout. */
export async function selectRollout(db: Database, { id, ...scope }: ScopedRollout) {
  const one = sql`select * from rollout where id = ${id} and organization_id = ${scope.organizationId} and ${isVisible(scope, 'rollout')}`
  const [row] = await read(
    db,
    { ...rolloutColumns(scope), ...sumColumns(scope), ...limitColumns },
    (list) => sql`
      select ${list} from ${withSums(scope, one)}
      join organization o on o.id = r.organization_id`,
  )
  return row
}

/** Counts the rollout's zones whose names contain the text. */
export async function countZones(db: Database, { organizationId, zones, id }: ScopedRollout, textFilter: string): Promise<number> {
  const [row] = await read(
    db,
    { zones: integer(sql`count(*)`) },
    (list) => sql`
      select ${list} from publication p
      where p.organization_id = ${organizationId} and p.rollout_id = ${id} and p.names_zone and ${isZoneNamed(textFilter)}
        and ${isInZones({ zones }, sql`p.zone_id`)}`,
  )
  return row?.zones ?? 0
}

/** Locks the rollout's zones, in the order of their ids, and returns them. */
export const lockZones = (db: Database, { organizationId, zones, id }: ScopedRollout) =>
  db
    .selectFrom('zone')
    .select(['id', 'public_id', 'name'])
    .where('organization_id', '=', organizationId)
    .where(isInZones({ zones }, sql`zone.id`))
    .where(
      'id',
      'in',
      db
        .selectFrom('publication')
        .select('zone_id')
        .where('organization_id', '=', organizationId)
        .where('rollout_id', '=', id)
        .$castTo<{ zone_id: number }>(),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** Returns the public ids of zones in which a publication of the rollout is current. */
export async function selectDesiringZones(
  db: Database,
  { organizationId, id }: Pick<ScopedRollout, 'organizationId' | 'id'>,
): Promise<string[]> {
  const rows = await read(
    db,
    { zone: text(sql`z.public_id`) },
    (list) => sql`
      select distinct ${list} from publication p join zone z on z.organization_id = ${organizationId} and z.id = p.zone_id
      where p.organization_id = ${organizationId} and p.rollout_id = ${id} and p.replaced_at is null`,
  )
  return rows.map(({ zone }) => zone)
}

/** Locks publications in the order of their ids, as reports do. */
export const lockPublications = (db: Database, organizationId: number, ids: readonly string[]) =>
  sql`
    select id from publication where organization_id = ${organizationId} and id = any(${ids}::uuid[]) order by id for no key update`.execute(
    db,
  )

/** Returns the internal ids of those zones in the scope that have simulated readers. */
export async function selectSimulatedZones(db: Database, { organizationId, zones }: ZoneScope): Promise<Set<number>> {
  const rows = await read(
    db,
    { zone_id: integer(sql`c.zone_id`) },
    (list) => sql`
      select ${list} from device_count c where c.organization_id = ${organizationId} and ${isInZones({ zones }, sql`c.zone_id`)}
      group by c.zone_id having sum(c.simulated) > 0`,
  )
  return new Set(rows.map(({ zone_id }) => zone_id))
}
