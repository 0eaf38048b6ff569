import { uuidv7 } from 'uuidv7'
import type { Database } from '../../lib/database/database.ts'
import { personName } from '../../lib/database/names.ts'
import type { ZoneIds } from '../../lib/http/caller.ts'

export const selectOpenReapplications = (db: Database, { organizationId, zoneId }: ZoneIds) =>
  db
    .selectFrom('reapplication')
    .innerJoin('device', (join) =>
      join.on('device.organization_id', '=', organizationId).onRef('device.id', '=', 'reapplication.device_id'),
    )
    .innerJoin('publication', (join) =>
      join
        .on('publication.organization_id', '=', organizationId)
        .onRef('publication.id', '=', 'reapplication.publication_id')
        .onRef('publication.zone_id', '=', 'device.zone_id')
        .onRef('publication.device_type', '=', 'device.device_type')
        .on('publication.replaced_at', 'is', null),
    )
    .select(['reapplication.id', 'reapplication.publication_id as publication', 'device.serial_number as serialNumber'])
    .where('reapplication.organization_id', '=', organizationId)
    .where('publication.zone_id', '=', zoneId)
    .where('reapplication.outcome', 'is', null)
    .orderBy('reapplication.id')
    .execute()

export const selectReapplication = (db: Database, organizationId: number, publicationId: string, deviceId: number) =>
  db
    .selectFrom('reapplication')
    .leftJoin('user', 'user.id', 'reapplication.requested_by')
    .select(personName('user').as('requested_by'))
    .select(['requested_at', 'outcome', 'reason', 'happened_at'])
    .where('organization_id', '=', organizationId)
    .where('device_id', '=', deviceId)
    .where('publication_id', '=', publicationId)
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirst()

interface NewReapplication {
  organization_id: number
  publication_id: string
  device_id: number
  requested_by: string
}

/** Opens a reapplication. Returns false where one is open for the reader. */
export async function insertReapplication(db: Database, reapplication: NewReapplication): Promise<boolean> {
  const row = await db
    .insertInto('reapplication')
    .values({ id: uuidv7(), ...reapplication })
    .onConflict((conflict) => conflict.columns(['organization_id', 'publication_id', 'device_id']).where('outcome', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  await markRetrying(db, reapplication)
  return true
}

const markRetrying = (db: Database, { organization_id, publication_id, device_id }: NewReapplication) =>
  db
    .updateTable('outcome')
    .set({ retrying: true })
    .where('organization_id', '=', organization_id)
    .where('publication_id', '=', publication_id)
    .where('device_id', '=', device_id)
    .where('outcome', '=', 'failed')
    .where('is_here', '=', true)
    .execute()
