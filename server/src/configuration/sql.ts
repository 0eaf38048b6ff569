import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database.ts'

const desiredOfAllKinds = (db: Database) =>
  db
    .selectFrom('desired_configuration')
    .select(['publication_id', 'zone_id', 'device_type'])
    .unionAll(db.selectFrom('desired_firmware').select(['publication_id', 'zone_id', 'device_type']))
    .as('desired')

/** The readers of a zone that shall be given once more what is desired of them. */
export const selectOpenReapplications = (db: Database, zoneId: string) =>
  db
    .selectFrom('reapplication')
    .innerJoin('device', 'device.id', 'reapplication.device_id')
    .innerJoin(desiredOfAllKinds(db), (join) =>
      join
        .onRef('desired.publication_id', '=', 'reapplication.publication_id')
        .onRef('desired.zone_id', '=', 'device.zone_id')
        .onRef('desired.device_type', '=', 'device.device_type'),
    )
    .select(['reapplication.id', 'reapplication.publication_id as publication', 'device.serial_number as serialNumber'])
    .where('desired.zone_id', '=', zoneId)
    .where('reapplication.outcome', 'is', null)
    .orderBy('reapplication.id')
    .execute()

/** Asks that a reader be given a publication once more; false where that was asked already and is still to come. */
export async function insertReapplication(
  db: Database,
  reapplication: { organization_id: string; publication_id: string; device_id: string; requested_by: string },
): Promise<boolean> {
  const row = await db
    .insertInto('reapplication')
    .values({ id: uuidv7(), ...reapplication })
    .onConflict((conflict) => conflict.columns(['publication_id', 'device_id']).where('outcome', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  await markRetrying(db, reapplication.publication_id, reapplication.device_id)
  return true
}

/** A reader that failed and is given it once more has not failed for now. */
const markRetrying = (db: Database, publicationId: string, deviceId: string) =>
  db
    .updateTable('outcome')
    .set({ retrying: true })
    .where('publication_id', '=', publicationId)
    .where('device_id', '=', deviceId)
    .where('outcome', '=', 'failed')
    .where('is_here', '=', true)
    .execute()

/** What a reader runs, what its zone wants of its model, and what became of that; undefined where there is no such reader. */
export const selectDeviceConfiguration = (db: Database, organizationId: string, serialNumber: string) =>
  db
    .selectFrom('device')
    .innerJoin('device_state', 'device_state.device_id', 'device.id')
    .leftJoin('host', 'host.id', 'device.host_id')
    .leftJoin('desired_configuration as wanted', (join) =>
      join.onRef('wanted.zone_id', '=', 'device.zone_id').onRef('wanted.device_type', '=', 'device.device_type'),
    )
    .leftJoin('publication', 'publication.id', 'wanted.publication_id')
    .leftJoin('user as publisher', 'publisher.id', 'publication.published_by')
    .leftJoin('outcome', (join) => join.onRef('outcome.publication_id', '=', 'publication.id').onRef('outcome.device_id', '=', 'device.id'))
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('reapplication')
          .leftJoin('user as asker', 'asker.id', 'reapplication.requested_by')
          .select([
            'requested_at',
            'asker.email as requested_by',
            'reapplication.outcome',
            'reapplication.reason',
            'reapplication.happened_at',
          ])
          .whereRef('reapplication.device_id', '=', 'device.id')
          .whereRef('reapplication.publication_id', '=', 'publication.id')
          .orderBy('requested_at', 'desc')
          .limit(1)
          .as('again'),
      (join) => join.onTrue(),
    )
    .select([
      'device.id',
      'device.device_type',
      'device.zone_id',
      'device.zone_name',
      'device.drifted',
      'host.time_zone',
      'current_config',
      'config_hash',
    ])
    .select([
      'publication.id as publication_id',
      'publication.revision',
      'content_hash',
      'file_name',
      'update_time',
      'published_at',
      'at_once',
      'rollout_id',
    ])
    .select(['publisher.email as published_by', 'outcome.outcome', 'outcome.reason', 'outcome.happened_at'])
    .select(['again.requested_at', 'again.requested_by', 'again.outcome as again_outcome', 'again.reason as again_reason'])
    .select('again.happened_at as again_at')
    .where('device.organization_id', '=', organizationId)
    .where('device.serial_number', '=', serialNumber)
    .executeTakeFirst()
