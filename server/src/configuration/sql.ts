import { sql } from 'kysely'
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
      'at_once',
      sql<boolean>`is_halted(publication)`.as('halted'),
    ])
    .where('desired_configuration.zone_id', '=', zoneId)
    .orderBy('publication.device_type')
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
    .select([
      'device.id',
      'device.device_type',
      'device.zone_id',
      'device.zone_name',
      'device.configuration_drifted',
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
    .where('device.organization_id', '=', organizationId)
    .where('device.serial_number', '=', serialNumber)
    .executeTakeFirst()
