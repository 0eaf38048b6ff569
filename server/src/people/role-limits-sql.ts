import { type SqlBool, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'

// Returns those of the ids that exist. They cannot be deleted before the end of the transaction.
export const selectChosenZones = (db: Database, organizationId: number, publicIds: readonly string[]) =>
  db
    .selectFrom('zone')
    .select(['id', 'public_id', 'name'])
    .where('organization_id', '=', organizationId)
    .where(sql<SqlBool>`public_id = any(${publicIds}::uuid[])`)
    .orderBy(sql`lower(name)`)
    .forKeyShare()
    .execute()

export const selectChosenTags = (db: Database, organizationId: number, names: readonly string[]) =>
  db
    .selectFrom('tag')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where(sql<SqlBool>`lower(name) in (select lower(chosen) from unnest(${names}::text[]) as chosen)`)
    .orderBy(sql`lower(name)`)
    .execute()

interface LimitRows {
  zones: readonly { id: number }[]
  tags: readonly { id: number }[]
}

export async function replaceLimit(db: Database, organizationId: number, roleId: string, { zones, tags }: LimitRows): Promise<void> {
  const role = { organization_id: organizationId, role_id: roleId }
  await db.deleteFrom('role_zone').where('organization_id', '=', organizationId).where('role_id', '=', roleId).execute()
  await db.deleteFrom('role_tag').where('organization_id', '=', organizationId).where('role_id', '=', roleId).execute()
  const [zoneRows, tagRows] = [zones.map(({ id }) => ({ ...role, zone_id: id })), tags.map(({ id }) => ({ ...role, tag_id: id }))]
  if (zoneRows.length > 0) await db.insertInto('role_zone').values(zoneRows).execute()
  if (tagRows.length > 0) await db.insertInto('role_tag').values(tagRows).execute()
}
