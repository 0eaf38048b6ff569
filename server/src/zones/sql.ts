import { hostOnlineMinutes } from '@lectern/contract/hosts.ts'
import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'

export const selectZones = (db: Database, organizationId: string) =>
  db
    .selectFrom('zone')
    .select(['id', 'name', 'organization_id', 'note'])
    .where('organization_id', '=', organizationId)
    .orderBy(sql`lower(name)`)
    .execute()

export const selectZone = (db: Database, organizationId: string, zoneId: string) =>
  db.selectFrom('zone').select(['id', 'name']).where('organization_id', '=', organizationId).where('id', '=', zoneId)

export const selectZoneNote = (db: Database, organizationId: string, zoneId: string) =>
  selectZone(db, organizationId, zoneId).select(['organization_id', 'note'])

export const insertZone = (db: Database, zone: { id: string; organization_id: string; name: string }) =>
  db.insertInto('zone').values(zone).execute()

export const updateZoneNote = (db: Database, zoneId: string, note: string) =>
  db.updateTable('zone').set({ note }).where('id', '=', zoneId).execute()

/** The zone's readers stay, without a zone, until a host of another zone reports them. */
export async function deleteZoneRow(db: Database, zoneId: string): Promise<void> {
  await db
    .updateTable('device')
    .set({ zone_id: null, zone_name: null, host_id: null, host_name: null })
    .where('zone_id', '=', zoneId)
    .execute()
  await db.deleteFrom('zone').where('id', '=', zoneId).execute()
}

export const selectHostNames = (db: Database, organizationId: string, zoneId: string) =>
  db
    .selectFrom('host')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('zone_id', '=', zoneId)
    .where('revoked_at', 'is', null)
    .orderBy('name')
    .execute()

export const selectZoneHosts = (db: Database, organizationId: string) =>
  db
    .selectFrom('host')
    .select(['id', 'zone_id', 'name', 'time_zone', 'agent_version', 'last_seen_at', 'driver'])
    .select(sql<boolean>`coalesce(last_seen_at > now() - make_interval(mins => ${hostOnlineMinutes}), false)`.as('is_online'))
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .orderBy('name')
    .execute()

export const selectZoneReaders = (db: Database, organizationId: string) =>
  db
    .selectFrom('device_count')
    .select(['zone_id', 'device_type', 'total'])
    .where('organization_id', '=', organizationId)
    .where('zone_id', 'is not', null)
    .where('total', '>', 0)
    .orderBy('total', 'desc')
    .orderBy('device_type')
    .execute()

/** Returns undefined where the host is revoked already or unknown. */
export const revokeHost = (db: Database, organizationId: string, hostId: string) =>
  db
    .updateTable('host')
    .set({ revoked_at: sql<Date>`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', hostId)
    .where('revoked_at', 'is', null)
    .returning(['name', 'zone_id'])
    .executeTakeFirst()
