import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { boolean, instant, integer, type RowOf, read, text } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import { changedPlaces, countPresent } from './present-sql.ts'
import type { ScopedRollout } from './sql.ts'

/**
 * Halts the current publications of a rollout by hand, or resumes them where `userId` is null. Returns the zones that this changes. Locks
 * publications in the order of their ids, as reports do.
 */
export async function updateHaltedBy(db: Database, { organizationId, zones, id }: ScopedRollout, userId: string | null): Promise<number[]> {
  const rows = await read(
    db,
    { zone_id: integer(sql`p.zone_id`) },
    (list) => sql`
      update publication p set halted_at = ${userId === null ? sql`null` : sql`now()`}, halted_by = ${userId}
      where p.organization_id = ${organizationId} and p.replaced_at is null and (p.halted_at is null) = ${userId !== null} and p.id = any(array(
        select id from publication
        where organization_id = ${organizationId} and rollout_id = ${id} and replaced_at is null and ${isInZones({ zones }, sql`zone_id`)}
        order by id for no key update))
      returning ${list}`,
  )
  return [...new Set(rows.map((row) => row.zone_id))]
}

/** `halt_above_percent`: of a zone's readers; null for no limit. `stop_time`: `HH:mm` on the host's clock; null for none. */
export interface Limits {
  halt_above_percent: number | null
  stop_time: string | null
}

export const lockLimits = (db: Database, { organizationId, id }: ScopedRollout): Promise<Limits> =>
  db
    .selectFrom('rollout')
    .select(['halt_above_percent', 'stop_time'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

/**
 * Locks the publications' rollouts that have a limit, and returns their ids. Of two reports, the later one then sees the outcomes of both.
 */
export async function lockWithLimit(db: Database, organizationId: number, publications: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('rollout')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('halt_above_percent', 'is not', null)
    .where(
      'id',
      'in',
      db.selectFrom('publication').select('rollout_id').where('organization_id', '=', organizationId).where('id', 'in', publications),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

export const updateLimits = (db: Database, { organizationId, id }: ScopedRollout, limits: Limits) =>
  db.updateTable('rollout').set(limits).where('organization_id', '=', organizationId).where('id', '=', id).execute()

export async function updateLaterLimits(db: Database, organizationId: number, limits: Limits): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('organization')
    .set(limits)
    .where('id', '=', organizationId)
    .where(({ or, eb }) =>
      or([eb('halt_above_percent', 'is distinct from', limits.halt_above_percent), eb('stop_time', 'is distinct from', limits.stop_time)]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

const haltedZoneColumns = {
  zone_id: text(sql`z.public_id`),
  zone: text(sql`z.name`),
  at: instant(sql`h.at`),
  failed: integer(sql`h.failed`),
  readers: integer(sql`h.readers`),
  is_resumed: boolean(sql`h.is_resumed`),
  zones: integer(sql`count(*) over ()`),
  halted: integer(sql`count(*) filter (where h.is_halting) over ()`),
  beyond: integer(sql`count(*) filter (where h.is_halting and h.is_beyond) over ()`),
}

export type HaltedZoneRow = RowOf<typeof haltedZoneColumns>

/**
 * Returns the first zones that the safety limit has halted: those that it would halt again, then the others, each newest first. In each
 * row, `zones` is how many it has halted, `halted` how many it halts now, and `beyond` how many of these exceed the present limit. A zone
 * that an earlier limit halted may be below the present one. `isWhole`: nothing of the rollout is replaced. `percent`: the present limit.
 */
export const selectHaltedZones = (
  db: Database,
  { organizationId, zones, id }: ScopedRollout,
  { isWhole, percent, limit }: { isWhole: boolean; percent: number | null; limit: number },
) =>
  read(
    db,
    haltedZoneColumns,
    (list) => sql`
      select ${list} from (
        select *, failed * 100 > ${percent ?? 100}::int * readers as is_beyond, not is_resumed and (${isWhole} or exists (
          select from publication p where p.organization_id = ${organizationId} and p.zone_id = safety_halt.zone_id and p.rollout_id = ${id} and p.replaced_at is null
        )) as is_halting
        from safety_halt where safety_halt.organization_id = ${organizationId} and rollout_id = ${id} and ${isInZones({ zones }, sql`safety_halt.zone_id`)}
      ) h join zone z on z.organization_id = ${organizationId} and z.id = h.zone_id
      order by h.is_halting and h.is_beyond desc, h.is_resumed, h.at desc, z.id limit ${limit}`,
  )

/** Counts the readers, by rollout, that wait in zones which only the safety limit halts. Reads the publications of these zones. */
export async function countHaltedByLimit(
  db: Database,
  { organizationId, zones }: ZoneScope,
  rollouts: readonly string[],
): Promise<Map<string, number>> {
  const rows = await read(
    db,
    { id: text(sql`p.rollout_id`), readers: integer(sql`sum(coalesce(present.total, p.present) + p.gone - p.applied - p.failed)`) },
    (list) => sql`
      select ${list} from safety_halt h
      join publication p on p.organization_id = ${organizationId} and p.rollout_id = h.rollout_id and p.zone_id = h.zone_id
        and p.replaced_at is null and p.halted_at is null
      left join (${changedPlaces(organizationId)}) change on change.zone_id = p.zone_id and change.device_type = p.device_type
      cross join lateral (${countPresent(organizationId, sql`change.zone_id is not null`)}) present
      where h.organization_id = ${organizationId} and h.rollout_id = any(${rollouts}::uuid[]) and not h.is_resumed
        and ${isInZones({ zones }, sql`h.zone_id`)}
      group by 1`,
  )
  return new Map(rows.map(({ id, readers }) => [id, readers]))
}

const newHaltColumns = {
  rollout_id: text(sql`rollout_id`),
  zone_id: integer(sql`zone_id`),
  failed: integer(sql`failed`),
  readers: integer(sql`readers`),
}
/** A row of `safety_halt` that was stored just now. `failed`, `readers`: of the zone, when it exceeded the limit. */
export type NewHaltRow = RowOf<typeof newHaltColumns>

// SQL: by zone of a rollout, how many readers failed and how many there are, which a safety limit is compared with. Readers that no published
// command gives the content are neither (decision 97).
const figuresOfZones = (organizationId: number, rollout: RawBuilder<unknown>, isOfZones: RawBuilder<unknown>) => sql`
  select p.zone_id, sum(p.failed - p.impossible)::int as failed, sum(c.total + p.gone - p.impossible)::int as readers
  from publication p cross join lateral (${countPresent(organizationId)}) c
  where p.organization_id = ${organizationId} and p.rollout_id = ${rollout} and p.replaced_at is null and ${isOfZones}
  group by p.zone_id`

// Stores zones beyond their rollout's limit that have no row yet, except those halted by hand. Returns the new rows.
function insertBeyond(
  db: Database,
  organizationId: number,
  rolloutIds: readonly string[],
  { isOfZones, isResumed }: { isOfZones: RawBuilder<unknown>; isResumed: boolean },
): Promise<NewHaltRow[]> {
  return read(
    db,
    newHaltColumns,
    (list) => sql`
      insert into safety_halt (rollout_id, zone_id, organization_id, above_percent, failed, readers, is_resumed)
      select r.id, z.zone_id, r.organization_id, r.halt_above_percent, z.failed, z.readers, ${isResumed}
      from rollout r cross join lateral (
        ${figuresOfZones(organizationId, sql`r.id`, isOfZones)} having bool_or(p.halted_at is null)
      ) z
      where r.organization_id = ${organizationId} and r.id = any(${rolloutIds}::uuid[]) and z.failed * 100 > r.halt_above_percent * z.readers
      order by r.id, z.zone_id
      on conflict (organization_id, rollout_id, zone_id) do nothing
      returning ${list}`,
  )
}

const isAmong = (zones: readonly number[]) => sql`p.zone_id = any(${zones}::int[])`

/** Halts the zones that exceed their rollout's limit and were not halted yet; absent `zones`: of all zones. Returns the new rows. */
export const insertHalts = (db: Database, organizationId: number, rolloutIds: readonly string[], zones?: readonly number[]) =>
  insertBeyond(db, organizationId, rolloutIds, { isOfZones: zones ? isAmong(zones) : sql`p.zone_id is not null`, isResumed: false })

/** Stores that a user let zones go on beyond the limit, so that the same limit does not halt them. */
export const insertResumed = (db: Database, { organizationId, id }: ScopedRollout, zones: readonly number[]) =>
  insertBeyond(db, organizationId, [id], { isOfZones: isAmong(zones), isResumed: true })

export const deleteResumed = (db: Database, { organizationId, id }: ScopedRollout) =>
  db
    .deleteFrom('safety_halt')
    .where('organization_id', '=', organizationId)
    .where('rollout_id', '=', id)
    .where('is_resumed', '=', true)
    .execute()

/** Deletes halts that were stored for another limit than `percent`. Returns their zones. */
export async function deletePreviousHalts(
  db: Database,
  { organizationId, zones, id }: ScopedRollout,
  percent: number | null,
): Promise<number[]> {
  const rows = await db
    .deleteFrom('safety_halt')
    .where('organization_id', '=', organizationId)
    .where('rollout_id', '=', id)
    .where('above_percent', 'is distinct from', percent)
    .where(isInZones({ zones }, sql`zone_id`))
    .returning('zone_id')
    .execute()
  return rows.map(({ zone_id }) => zone_id)
}

/** Marks the zones' halts as resumed, and stores the present figures, as a retry may have changed them. Returns the zones. */
export async function updateResumed(db: Database, { organizationId, id }: ScopedRollout, zones: readonly number[]): Promise<number[]> {
  const rows = await read(
    db,
    { zone_id: integer(sql`h.zone_id`) },
    (list) => sql`
      update safety_halt h set is_resumed = true, at = now(), failed = z.failed, readers = z.readers
      from (${figuresOfZones(organizationId, sql`${id}`, sql`p.zone_id = any(${zones}::int[])`)}) z
      where h.organization_id = ${organizationId} and h.rollout_id = ${id} and h.zone_id = z.zone_id and not h.is_resumed
      returning ${list}`,
  )
  return rows.map(({ zone_id }) => zone_id)
}
