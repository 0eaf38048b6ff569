import { sql } from 'kysely'
import type { Database } from '../../lib/database/database.ts'
import { integer, orNull, read, text } from '../../lib/database/rows.ts'

/**
 * Returns those of the publications that a roll back took back, where nothing newer was published since, and locks their zones. `rollout`:
 * the roll back's. `desired`: the publication that the zone desires now; null for none.
 */
export async function selectTakenBackAmong(db: Database, organizationId: number, publications: readonly string[]) {
  const rows = await read(
    db,
    {
      id: text(sql`p.id`),
      rollout: text(sql`p.withdrawn_by`),
      zone_id: integer(sql`z.id`),
      public_id: text(sql`z.public_id`),
      name: text(sql`z.name`),
      published_by: orNull(text(sql`back.published_by`)),
      desired: orNull(text(sql`desired.publication_id`)),
    },
    (list) => sql`
      select ${list} from publication p join zone z on z.organization_id = ${organizationId} and z.id = p.zone_id
      join rollout back on back.organization_id = ${organizationId} and back.id = p.withdrawn_by
      left join desired on desired.organization_id = ${organizationId} and desired.zone_id = p.zone_id and desired.device_type = p.device_type and desired.kind = p.kind
      where p.organization_id = ${organizationId} and p.id = any(${publications}::uuid[]) and exists (
        select from publication b where b.organization_id = ${organizationId} and b.zone_id = p.zone_id and b.device_type = p.device_type and b.kind = p.kind
          and b.rollout_id = p.withdrawn_by and b.replaced_at is null)
      order by z.id for no key update of z`,
  )
  return rows.map(({ id, rollout, zone_id, public_id, name, published_by: publishedBy, desired }) => ({
    id,
    rollout,
    publishedBy,
    desired,
    zone: { id: zone_id, public_id, name },
  }))
}

export type TakenBackAmong = Awaited<ReturnType<typeof selectTakenBackAmong>>[number]

/** Reads the current publications by which a roll back gives readers something back. */
export const selectGivenBack = (db: Database, organizationId: number, rollout: string) =>
  read(
    db,
    {
      id: text(sql`id`),
      zone: integer(sql`zone_id`),
      model: text(sql`device_type`),
      hash: text(sql`content_hash`),
      fileName: orNull(text(sql`file_name`)),
    },
    (list) => sql`
      select ${list} from publication where organization_id = ${organizationId} and rollout_id = ${rollout} and replaced_at is null and present > 0`,
  )
