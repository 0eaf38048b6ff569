import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database.ts'

/** What is published: content by hash, for all readers of a model in a zone. */
export interface NewPublication {
  organization_id: string
  zone_id: string
  device_type: string
  content: 'cfg' | 'file'
  content_hash: string
  size: number
  file_name: string | null
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

/** Adds the next revision. The zone's row is locked, so revisions have no gap and no twin. */
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
        .where('device_type', '=', publication.device_type),
    }))
    .returning(['id', 'revision', 'published_at'])
    .executeTakeFirstOrThrow()

/** Makes a publication what its zone and model desire. */
export const upsertDesired = (
  db: Database,
  desired: { organization_id: string; zone_id: string; device_type: string; publication_id: string; revision: number },
) =>
  db
    .insertInto('desired_configuration')
    .values(desired)
    .onConflict((conflict) =>
      conflict.columns(['zone_id', 'device_type']).doUpdateSet({ publication_id: desired.publication_id, revision: desired.revision }),
    )
    .execute()

/** What a zone's readers shall run, a model each. */
export const selectDesired = (db: Database, zoneId: string) =>
  db
    .selectFrom('desired_configuration')
    .innerJoin('publication', 'publication.id', 'desired_configuration.publication_id')
    .select([
      'publication.id',
      'publication.device_type',
      'publication.revision',
      'content',
      'content_hash',
      'size',
      'file_name',
      'update_time',
      'published_at',
    ])
    .where('desired_configuration.zone_id', '=', zoneId)
    .orderBy('publication.device_type')
    .execute()
