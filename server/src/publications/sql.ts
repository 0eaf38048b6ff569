import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database.ts'

/** What is published: content by hash, for all readers of a model in a zone. */
export interface NewPublication {
  organization_id: string
  zone_id: string
  device_type: string
  content: 'cfg' | 'file' | 'firmware'
  content_hash: string
  size: number
  file_name: string | null
  /** Of a firmware release. */
  version: string | null
  update_time: string
  published_by: string
}

/** Whether the zone is there; keeps it there until the transaction ends. */
export const selectZoneForPublish = (db: Database, organizationId: string, zoneId: string) =>
  db
    .selectFrom('zone')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', zoneId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Adds the next revision; firmware has revisions of its own. The zone's row is locked, so they have no gap and no twin. */
export const insertPublication = (db: Database, publication: NewPublication) =>
  db
    .insertInto('publication')
    .values((eb) => ({
      id: uuidv7(),
      ...publication,
      revision: eb
        .selectFrom('publication')
        .select(sql<number>`coalesce(max(revision), 0) + 1`.as('next'))
        .where('zone_id', '=', publication.zone_id)
        .where('device_type', '=', publication.device_type)
        .where('content', publication.content === 'firmware' ? '=' : '<>', 'firmware'),
    }))
    .returning(['id', 'revision'])
    .executeTakeFirstOrThrow()

/** Makes a publication what its zone and model desire. */
export const upsertDesired = (
  db: Database,
  table: 'desired_configuration' | 'desired_firmware',
  desired: { organization_id: string; zone_id: string; device_type: string; publication_id: string; revision: number },
) =>
  db
    .insertInto(table)
    .values(desired)
    .onConflict((conflict) =>
      conflict.columns(['zone_id', 'device_type']).doUpdateSet({ publication_id: desired.publication_id, revision: desired.revision }),
    )
    .execute()
