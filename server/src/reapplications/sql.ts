import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import { personName } from '../lib/database/person-name.ts'

const desiredOfAllKinds = (db: Database) =>
  db
    .selectFrom('desired_configuration')
    .select(['publication_id', 'zone_id', 'device_type'])
    .unionAll(db.selectFrom('desired_firmware').select(['publication_id', 'zone_id', 'device_type']))
    .as('desired')

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

export const selectReapplication = (db: Database, publicationId: string, deviceId: string) =>
  db
    .selectFrom('reapplication')
    .leftJoin('user', 'user.id', 'reapplication.requested_by')
    .select(personName('user').as('requested_by'))
    .select(['requested_at', 'outcome', 'reason', 'happened_at'])
    .where('device_id', '=', deviceId)
    .where('publication_id', '=', publicationId)
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Returns false where one is open already. */
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

const markRetrying = (db: Database, publicationId: string, deviceId: string) =>
  db
    .updateTable('outcome')
    .set({ retrying: true })
    .where('publication_id', '=', publicationId)
    .where('device_id', '=', deviceId)
    .where('outcome', '=', 'failed')
    .where('is_here', '=', true)
    .execute()
