import type { Database } from '../lib/database/database.ts'

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
    .leftJoin('rollout', 'rollout.id', 'publication.rollout_id')
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
      'stop_time',
      'publication.published_at',
      'at_once',
      'rollout_id',
    ])
    .select(['publisher.email as published_by', 'outcome.outcome', 'outcome.reason', 'outcome.happened_at'])
    .where('device.organization_id', '=', organizationId)
    .where('device.serial_number', '=', serialNumber)
    .executeTakeFirst()
