import { updateModels } from '@lectern/contract/devices/device-models.ts'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { personName } from '../lib/database/names.ts'
import { instant, integer } from '../lib/database/rows.ts'
import type { DB } from '../lib/database/schema.ts'
import type { ZoneIds } from '../lib/http/caller.ts'

const zoneCount = (eb: ExpressionBuilder<DB, 'firmware_release'>) =>
  eb
    .selectFrom('publication')
    .innerJoin('desired', (join) =>
      join.onRef('desired.organization_id', '=', 'publication.organization_id').onRef('desired.publication_id', '=', 'publication.id'),
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

/** SQL: orders releases, newest first. Pre-releases come after all others; of releases equal in order, the one offered last is first. */
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

/**
 * Locks the release against changes.
 * @param order the version as `versionOrder` writes it, or the latest that is offered
 */
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

/** Returns undefined where the model has a release of this version already. */
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
