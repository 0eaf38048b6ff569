import { updateModels } from '@lectern/contract/devices/device-models.ts'
import type { OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { personName } from '../lib/database/names.ts'
import { instant, integer, json, orNull } from '../lib/database/rows.ts'
import type { DB } from '../lib/database/schema.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import type { ZoneIds } from '../lib/http/caller.ts'

const zoneCount = (eb: ExpressionBuilder<DB, 'firmware_release'>) =>
  eb
    .selectFrom('publication')
    .innerJoin('desired_firmware', (join) =>
      join
        .onRef('desired_firmware.organization_id', '=', 'publication.organization_id')
        .onRef('desired_firmware.publication_id', '=', 'publication.id'),
    )
    .select(integer(sql`count(*)`).as('zones'))
    .whereRef('publication.content_hash', '=', 'firmware_release.content_hash')
    .whereRef('publication.device_type', '=', 'firmware_release.device_type')
    .where('publication.zone_id', 'is not', null)
    .as('zone_count')

const creatorName = (eb: ExpressionBuilder<DB, 'firmware_release'>) =>
  eb
    .selectFrom('user')
    .select(personName('user').as('name'))
    .where(sql<boolean>`lower("user".email) = lower(created_by)`)
    .orderBy('user.id')
    .limit(sql.lit(1))
    .as('created_by_name')

export const selectReleases = (db: Database) =>
  db
    .selectFrom('firmware_release')
    .selectAll()
    .select(zoneCount)
    .select(creatorName)
    .orderBy(sql`array_position(${sql.val(updateModels)}::text[], device_type::text)`)
    .orderBy('version_sort', 'desc')

export type ReleaseRow = Awaited<ReturnType<ReturnType<typeof selectReleases>['executeTakeFirstOrThrow']>>

export const selectOffered = (db: Database, device: string) =>
  db
    .selectFrom('firmware_release')
    .select('version')
    .where('device_type', '=', device)
    .where('is_offered', '=', true)
    .orderBy('version_sort', 'desc')
    .execute()

/** No pre-release, unless nothing else is offered. Of releases that are equal in order, the one that was offered last. */
const latest = sql`split_part(version_sort, ' ', 1) like '%!%', split_part(version_sort, ' ', 1) collate "C" desc, offered_at desc`

export const selectLatest = (db: Database, device: string) =>
  db
    .selectFrom('firmware_release')
    .select('version')
    .where('device_type', '=', device)
    .where('is_offered', '=', true)
    .orderBy(latest)
    .limit(1)
    .executeTakeFirst()

/** @param order the version as `versionOrder` writes it, or the latest that is offered. Locks the release against changes. */
export const selectReleaseForPublish = (db: Database, device: string, order: string | 'latest') =>
  db
    .selectFrom('firmware_release')
    .select(['version', 'file_name', 'content_hash', 'size', 'is_offered'])
    .where('device_type', '=', device)
    .$if(order === 'latest', (query) => query.where('is_offered', '=', true).orderBy(latest).limit(1))
    .$if(order !== 'latest', (query) => query.where('version_order', '=', order))
    .forShare()
    .executeTakeFirst()

interface NewRelease {
  id: string
  device_type: string
  version: string
  version_order: string
  notes: string
  file_name: string
  content_hash: string
  size: number
  created_by: string
}

/** Returns undefined where its model has one of this version. */
export const insertRelease = (db: Database, release: NewRelease) =>
  db
    .insertInto('firmware_release')
    .values(release)
    .onConflict((conflict) => conflict.columns(['device_type', 'version_order']).doNothing())
    .returning('id')
    .executeTakeFirst()

export const updateOffered = (db: Database, id: string, isOffered: boolean) =>
  db
    .updateTable('firmware_release')
    .set({ is_offered: isOffered, offered_at: isOffered ? instant(sql`now()`) : null })
    .where('id', '=', id)
    .execute()

export const selectReleaseForUpdate = (db: Database, id: string) =>
  db
    .selectFrom('firmware_release')
    .select(['device_type', 'version', 'content_hash', 'is_offered'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const deleteRelease = (db: Database, id: string) => db.deleteFrom('firmware_release').where('id', '=', id).execute()

export const selectReportedReleases = (db: Database, { organizationId, zoneId }: ZoneIds) =>
  db
    .selectFrom('device')
    .innerJoin('reported_firmware as reported', (join) =>
      join.on('reported.organization_id', '=', organizationId).onRef('reported.id', '=', 'device.firmware_id'),
    )
    .innerJoin('firmware_release', (join) =>
      join
        .onRef('firmware_release.device_type', '=', 'device.device_type')
        .onRef('firmware_release.version_order', '=', 'reported.version_order'),
    )
    .select(['device.device_type', 'reported.version', 'content_hash', 'size'])
    .distinct()
    .where('device.organization_id', '=', organizationId)
    .where('device.zone_id', '=', zoneId)
    .execute()

export const selectReleaseContent = (db: Database, hash: string) =>
  db.selectFrom('firmware_release').select('id').where('content_hash', '=', hash).limit(1).executeTakeFirst()

export const selectRunning = (db: Database, { organizationId, zoneId }: ZoneIds, device: string) =>
  db
    .selectFrom('firmware_count')
    .innerJoin('reported_firmware as reported', (join) =>
      join.on('reported.organization_id', '=', organizationId).onRef('reported.id', '=', 'firmware_count.firmware_id'),
    )
    .select(['reported.version', integer(sql`sum(total)`).as('count')])
    .where('firmware_count.organization_id', '=', organizationId)
    .where('zone_id', '=', zoneId)
    .where('device_type', '=', device)
    .groupBy(['reported.version', 'reported.version_sort'])
    .having(sql<boolean>`sum(total) > 0`)
    .orderBy('reported.version_sort', 'desc')
    .execute()

export const selectDeviceFirmware = (db: Database, { organizationId, zones }: ZoneScope, serialNumber: string) =>
  db
    .selectFrom('device')
    .leftJoin('zone', (join) => join.on('zone.organization_id', '=', organizationId).onRef('zone.id', '=', 'device.zone_id'))
    .leftJoin('host', (join) => join.on('host.organization_id', '=', organizationId).onRef('host.id', '=', 'device.host_id'))
    .leftJoin('reported_firmware as reported', (join) =>
      join.on('reported.organization_id', '=', organizationId).onRef('reported.id', '=', 'device.firmware_id'),
    )
    .leftJoin('desired_firmware as desired', (join) =>
      join
        .on('desired.organization_id', '=', organizationId)
        .onRef('desired.zone_id', '=', 'device.zone_id')
        .onRef('desired.device_type', '=', 'device.device_type'),
    )
    .leftJoin('publication', (join) =>
      join.on('publication.organization_id', '=', organizationId).onRef('publication.id', '=', 'desired.publication_id'),
    )
    .leftJoin('rollout', (join) =>
      join.on('rollout.organization_id', '=', organizationId).onRef('rollout.id', '=', 'publication.rollout_id'),
    )
    .leftJoin('user as publisher', 'publisher.id', 'publication.published_by')
    .leftJoin('outcome', (join) =>
      join
        .on('outcome.organization_id', '=', organizationId)
        .onRef('outcome.publication_id', '=', 'publication.id')
        .onRef('outcome.device_id', '=', 'device.id'),
    )
    .select(['device.id', 'device.device_type', 'zone.public_id as public_zone_id', 'zone.name as zone_name', 'firmware_drifted'])
    .select(['reported.version as current_firmware', 'reported.version_order as firmware_order', 'host.time_zone'])
    .select([
      'publication.id as publication_id',
      'publication.revision',
      'publication.version',
      'publication.version_order',
      'file_name',
      'content_hash',
      'rollout_id',
    ])
    .select(orNull(json<OpenTimes>(sql`open_times(zone.organization_id, zone.id)`)).as('open_times'))
    .select(['update_time', 'start_date', 'rollout.stop_time', 'publication.published_at', 'at_once'])
    .select(personName('publisher').as('published_by'))
    .select(['outcome.outcome', 'outcome.reason', 'outcome.happened_at', 'outcome.retrying'])
    .where('device.organization_id', '=', organizationId)
    .where('device.serial_number', '=', serialNumber)
    .where(isInZones({ zones }, sql`device.zone_id`))
    .executeTakeFirst()

export const selectZone = (db: Database, scope: ZoneScope, publicId: string) =>
  db
    .selectFrom('zone')
    .select('id')
    .where('organization_id', '=', scope.organizationId)
    .where(isInZones(scope, sql`id`))
    .where('public_id', '=', publicId)
    .executeTakeFirst()
