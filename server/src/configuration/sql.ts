import type { Database } from '../lib/database.ts'

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
