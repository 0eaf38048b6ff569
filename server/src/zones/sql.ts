import { simulatedDriver } from '@lectern/contract/hosts.ts'
import { clockTolerance } from '@lectern/contract/publications/clock-ahead.ts'
import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { boolean, instant, integer, orNull, read, text } from '../lib/database/rows.ts'
import { isHostSilent } from '../lib/database/silent.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import { tagNames } from './tags-sql.ts'

const selectTagNames = (scope: ZoneScope) => tagNames(scope, sql`zone.id`).as('tags')

export const selectZones = (db: Database, scope: ZoneScope) =>
  db
    .selectFrom('zone')
    .select(['public_id', 'name', 'note', selectTagNames(scope)])
    .where('organization_id', '=', scope.organizationId)
    .where(isInZones(scope, sql`id`))
    .orderBy(sql`lower(name)`)

export const selectZone = (db: Database, scope: ZoneScope, publicId: string) =>
  db
    .selectFrom('zone')
    .select(['id', 'public_id', 'name', 'note', selectTagNames(scope)])
    .where('organization_id', '=', scope.organizationId)
    .where(isInZones(scope, sql`id`))
    .where('public_id', '=', publicId)

export const insertZone = (db: Database, zone: { public_id: string; organization_id: number; name: string }) =>
  db.insertInto('zone').values(zone).execute()

export const updateZoneNote = (db: Database, organizationId: number, zoneId: number, note: string) =>
  db.updateTable('zone').set({ note }).where('organization_id', '=', organizationId).where('id', '=', zoneId).execute()

/** The zone's readers stay, without a zone, until a host of another zone reports them. */
export async function deleteZoneRow(db: Database, organizationId: number, zoneId: number): Promise<void> {
  await sql`
    update device d set zone_id = null, host_id = null, last_seen_at = coalesce(d.last_seen_at, (
      select readers_seen_at from host h where h.organization_id = ${organizationId} and h.id = d.host_id))
    where d.organization_id = ${organizationId} and d.zone_id = ${zoneId}`.execute(db)
  for (const table of ['host', 'publication'] as const)
    await db.updateTable(table).set({ zone_id: null }).where('organization_id', '=', organizationId).where('zone_id', '=', zoneId).execute()
  await db.deleteFrom('zone').where('organization_id', '=', organizationId).where('id', '=', zoneId).execute()
}

export const selectHostNames = (db: Database, organizationId: number, zoneId: number) =>
  db
    .selectFrom('host')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('zone_id', '=', zoneId)
    .where('revoked_at', 'is', null)
    .orderBy('name')
    .execute()

const ofZone = (publicId: string | undefined) => (publicId === undefined ? sql<boolean>`true` : sql<boolean>`zone.public_id = ${publicId}`)

/** @param zone public id; undefined: all zones */
const zoneHosts = (db: Database, { organizationId, zones }: ZoneScope, zone: string | undefined) =>
  db
    .selectFrom('host')
    .innerJoin('zone', (join) => join.onRef('zone.organization_id', '=', 'host.organization_id').onRef('zone.id', '=', 'host.zone_id'))
    .where('host.organization_id', '=', organizationId)
    .where('zone.organization_id', '=', organizationId)
    .where(isInZones({ zones }, sql`host.zone_id`))
    .where(ofZone(zone))
    .where('revoked_at', 'is', null)

const isOnline = (organizationId: number) => sql`not ${isHostSilent(organizationId, 'host')}`

const isClockWrong = sql`abs(clock_ahead) > ${clockTolerance}`

/** Counts by zone and time zone. */
export const countZoneHosts = (db: Database, scope: ZoneScope, zone: string | undefined) =>
  zoneHosts(db, scope, zone)
    .select(['zone.public_id as zone', 'time_zone', integer(sql`count(*)`).as('hosts')])
    .select(integer(sql`count(*) filter (where ${isOnline(scope.organizationId)})`).as('online'))
    .select(integer(sql`count(*) filter (where ${isClockWrong})`).as('wrong_clocks'))
    .select(orNull(integer(sql`min(clock_ahead) filter (where ${isClockWrong})`)).as('least_ahead'))
    .select(orNull(integer(sql`max(clock_ahead) filter (where ${isClockWrong})`)).as('most_ahead'))
    .select(integer(sql`count(on_two_pcs_at)`).as('on_two_pcs'))
    .select(integer(sql`coalesce(sum(host.other_readers), 0)`).as('other_readers'))
    .select(boolean(sql`coalesce(bool_or(driver = ${simulatedDriver}), false)`).as('simulated'))
    .groupBy(['zone.public_id', 'time_zone'])
    .orderBy('time_zone')
    .execute()

export const selectZoneHosts = (db: Database, scope: ZoneScope, zone: string | undefined) =>
  zoneHosts(db, scope, zone)
    .select([
      'host.public_id',
      'zone.public_id as zone',
      'host.name',
      'time_zone',
      'agent_version',
      'last_seen_at',
      'driver',
      'clock_ahead',
      'on_two_pcs_at',
    ])
    // A list of many host PCs has counts alone.
    .select(orNull(text(zone === undefined ? sql`null` : sql`host.attached::text`)).as('attached'))
    .select(boolean(isOnline(scope.organizationId)).as('is_online'))
    .orderBy('host.name')
    .execute()

export const selectZoneReaders = (db: Database, { organizationId, zones }: ZoneScope, zone: string | undefined) =>
  db
    .selectFrom('device_count')
    .innerJoin('zone', (join) =>
      join.onRef('zone.organization_id', '=', 'device_count.organization_id').onRef('zone.id', '=', 'device_count.zone_id'),
    )
    .select(['zone.public_id as zone', 'device_type', integer(sql`sum(total)`).as('total'), integer(sql`sum(simulated)`).as('simulated')])
    .where('device_count.organization_id', '=', organizationId)
    .where('zone.organization_id', '=', organizationId)
    .where(isInZones({ zones }, sql`device_count.zone_id`))
    .where(ofZone(zone))
    .groupBy(['zone.public_id', 'device_type'])
    .having(sql<boolean>`sum(total) > 0`)
    .orderBy('total', 'desc')
    .orderBy('device_type')
    .execute()

/** Returns undefined where the host is unknown or revoked already. */
export const revokeHost = (db: Database, scope: ZoneScope, publicId: string) =>
  db
    .updateTable('host')
    .set({ revoked_at: instant(sql`now()`) })
    .where('organization_id', '=', scope.organizationId)
    .where(isInZones(scope, sql`zone_id`))
    .where('public_id', '=', publicId)
    .where('revoked_at', 'is', null)
    .returning(['name', 'zone_id', 'driver'])
    .executeTakeFirst()

const revokedColumns = {
  name: text(sql`revoked.name`),
  driver: orNull(text(sql`revoked.driver`)),
  zoneId: orNull(text(sql`zone.public_id`)),
  zoneName: orNull(text(sql`zone.name`)),
}

export const revokeHostsOfLicence = (db: Database, organizationId: number, licenceId: string) =>
  read(
    db,
    revokedColumns,
    (list) => sql`
      with revoked as (
        update host set revoked_at = now() where organization_id = ${organizationId} and licence_id = ${licenceId} and revoked_at is null
        returning name, driver, zone_id)
      select ${list} from revoked left join zone on zone.organization_id = ${organizationId} and zone.id = revoked.zone_id order by 1`,
  )

export const selectZoneById = (db: Database, organizationId: number, zoneId: number) =>
  db
    .selectFrom('zone')
    .select(['public_id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', zoneId)
    .executeTakeFirst()
