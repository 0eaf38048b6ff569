import type { ContentKind, StoredKind } from '@lectern/contract/publications/content-kind.ts'
import { sql } from 'kysely'
import type { Database } from '../../lib/database/database.ts'
import { readerPhaseNow } from '../../lib/database/reader-phase.ts'
import { bigint, integer, orNull, type RowOf, read, text } from '../../lib/database/rows.ts'
import type { ScopedRollout } from '../sql.ts'
import { currentParts } from './plan-sql.ts'

const placeColumns = {
  id: text(sql`p.id`),
  zone: integer(sql`p.zone_id`),
  model: text(sql`p.device_type`),
  kind: text<ContentKind>(sql`p.kind`),
  content: text<StoredKind>(sql`p.content`),
  hash: text(sql`p.content_hash`),
  size: bigint(sql`p.size`),
  fileName: orNull(text(sql`p.file_name`)),
  version: orNull(text(sql`p.version`)),
  versionOrder: orNull(text(sql`p.version_order`)),
  updateTime: text(sql`p.update_time`),
  replaced: orNull(text(sql`p.replaced_id`)),
}
/** A publication that is taken back. `replaced`: the publication that its zone desired before; null for none. */
export type TakenBack = RowOf<typeof placeColumns>

/** Reads the publications that a roll back of the rollout takes back in the scope's zones. */
export const selectTakenBack = (db: Database, rollout: ScopedRollout): Promise<TakenBack[]> =>
  read(
    db,
    placeColumns,
    (list) => sql`select ${list} from (${currentParts(rollout)}) p order by lower(p.zone_name), p.zone_id, p.device_type, p.kind, p.number`,
  )

/** Adds one to the roll backs of the zones, and marks the publications as taken back. `by`: the roll back's rollout. */
export async function markTakenBack(
  db: Database,
  organizationId: number,
  { by, publications, zones }: { by: string; publications: readonly string[]; zones: readonly number[] },
): Promise<void> {
  await sql`update zone set withdrawals = withdrawals + 1 where organization_id = ${organizationId} and id = any(${zones}::int[])`.execute(
    db,
  )
  await sql`
    update publication p set withdrawn = z.withdrawals, withdrawn_by = ${by}
    from zone z where p.organization_id = ${organizationId} and p.id = any(${publications}::uuid[]) and z.organization_id = ${organizationId} and z.id = p.zone_id`.execute(
    db,
  )
}

/**
 * Makes zones desire again what they desired before. `replaced`: that publication; null: the zone desires nothing. Its revision becomes higher
 * than that of the publication that is taken back, so that no host PC takes it for older. `is_here` of its outcomes is set again, as readers
 * may have moved.
 */
export async function restoreDesired(
  db: Database,
  organizationId: number,
  places: readonly { zone: number; model: string; kind: string; replaced: string | null }[],
): Promise<void> {
  const restored = places.flatMap(({ replaced }) => replaced ?? [])
  await sql`
    update outcome o set is_here = not o.is_here from publication p, device d
    where o.organization_id = ${organizationId} and o.publication_id = any(${restored}::uuid[]) and p.organization_id = ${organizationId} and p.id = o.publication_id
      and d.organization_id = ${organizationId} and d.id = o.device_id
      and o.is_here <> ((d.zone_id = p.zone_id and d.device_type = p.device_type) is true)`.execute(db)
  await sql`
    update publication p set replaced_at = null, replaced_readers = null, ended_halted = false, returned_at = now(), withdrawn = null, withdrawn_by = null,
      present = coalesce((
        select sum(total) from device_count c
        where c.organization_id = ${organizationId} and c.zone_id = p.zone_id and c.device_type = p.device_type), 0)
    where p.organization_id = ${organizationId} and p.id = any(${restored}::uuid[])`.execute(db)
  const column = (pick: (place: (typeof places)[number]) => unknown) => sql`${places.map(pick)}`
  const fromPlaces = sql`unnest(${column(({ zone }) => zone)}::int[], ${column(({ model }) => model)}::device_model[],
    ${column(({ kind }) => kind)}::content_kind[], ${column(({ replaced }) => replaced)}::uuid[]) as place (zone_id, device_type, kind, replaced)`
  await sql`
    delete from desired using ${fromPlaces}
    where desired.organization_id = ${organizationId} and desired.zone_id = place.zone_id and desired.device_type = place.device_type
      and desired.kind = place.kind and place.replaced is null`.execute(db)
  await sql`
    insert into desired (organization_id, zone_id, device_type, kind, publication_id, revision)
    select ${organizationId}, place.zone_id, place.device_type, place.kind, place.replaced, (
      select max(p.revision) + 1 from publication p
      where p.organization_id = ${organizationId} and p.zone_id = place.zone_id and p.device_type = place.device_type and p.kind = place.kind)
    from ${fromPlaces} where place.replaced is not null
    on conflict (organization_id, zone_id, device_type, kind) do update set publication_id = excluded.publication_id, revision = excluded.revision`.execute(
    db,
  )
}

/**
 * Stores that publications, which their zones desire again, are not for these readers. A reader that has an outcome of the publication keeps
 * that outcome.
 */
export const insertKept = (db: Database, organizationId: number, kept: readonly { publication: string; device: number }[]) =>
  sql`
    insert into outcome (organization_id, publication_id, device_id, outcome, happened_at, is_here, phase)
    select ${organizationId}, p.id, d.id, 'kept', now(), (d.zone_id = p.zone_id and d.device_type = p.device_type) is true, ${readerPhaseNow}
    from unnest(${kept.map(({ publication }) => publication)}::uuid[], ${kept.map(({ device }) => device)}::bigint[]) k (publication, device)
    join publication p on p.organization_id = ${organizationId} and p.id = k.publication
    join device d on d.organization_id = ${organizationId} and d.id = k.device
    order by p.id, d.id on conflict (organization_id, publication_id, device_id) do nothing`.execute(db)

/** Returns the readers that earlier roll backs have kept from these publications. */
export const selectReadersKeptFrom = (db: Database, organizationId: number, publications: readonly string[]) =>
  read(
    db,
    { publication: text(sql`publication_id`), device: bigint(sql`device_id`) },
    (list) => sql`
      select ${list} from outcome where organization_id = ${organizationId} and publication_id = any(${publications}::uuid[]) and outcome = 'kept'`,
  )
