import type { ContentKind } from '@lectern/contract/publications/content-kind.ts'
import type { OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { sql } from 'kysely'
import type { Database } from '../../lib/database/database.ts'
import { personName } from '../../lib/database/names.ts'
import { bigint, boolean, day, instant, integer, json, orNull, type RowOf, read, text } from '../../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../../lib/database/zone-scope.ts'

const columns = (kind: ContentKind) => ({
  id: bigint(sql`d.id`),
  device_type: text(sql`d.device_type`),
  public_zone_id: orNull(text(sql`z.public_id`)),
  zone_name: orNull(text(sql`z.name`)),
  time_zone_history: orNull(text(sql`host.time_zone_history`)),
  open_times: orNull(json<OpenTimes>(sql`open_times(z.organization_id, z.id)`)),
  reported_name: orNull(text(kind === 'firmware' ? sql`f.version` : sql`c.label`)),
  reported_hash: orNull(text(kind === 'firmware' ? sql`null` : sql`c.content_hash`)),
  reported_order: orNull(text(kind === 'firmware' ? sql`f.version_order` : sql`null`)),
  drifted: boolean(kind === 'firmware' ? sql`d.firmware_drifted` : sql`d.configuration_drifted`),
  publication_id: orNull(text(sql`p.id`)),
  revision: orNull(integer(sql`p.revision`)),
  content_hash: orNull(text(sql`p.content_hash`)),
  file_name: orNull(text(sql`p.file_name`)),
  version: orNull(text(sql`p.version`)),
  version_order: orNull(text(sql`p.version_order`)),
  update_time: orNull(text(sql`p.update_time`)),
  start_date: orNull(day(sql`p.start_date`)),
  stop_time: orNull(text(sql`r.stop_time`)),
  published_at: orNull(instant(sql`p.published_at`)),
  at_once: orNull(boolean(sql`p.at_once`)),
  rollout_id: orNull(text(sql`p.rollout_id`)),
  published_by: personName('publisher'),
  outcome: orNull(text<'applied' | 'failed' | 'kept'>(sql`o.outcome`)),
  reason: orNull(text(sql`o.reason`)),
  happened_at: orNull(instant(sql`o.happened_at`)),
  retrying: boolean(sql`coalesce(o.retrying, false)`),
  // Whether a roll back gives the reader something else than its zone desires.
  keeps: boolean(
    sql`p.for_readers and desired.publication_id is not null and (p.content_hash, p.file_name) is distinct from (zones.content_hash, zones.file_name)`,
  ),
})
export type DeviceContentRow = RowOf<ReturnType<typeof columns>>

/**
 * Reads a reader with the publication of a kind that it must run, and its outcome. That is what a roll back gives back to it, else what its
 * zone desires; the columns are null for neither. Returns undefined where the scope's zones have no such reader.
 */
export async function selectDeviceContent(
  db: Database,
  { organizationId, zones }: ZoneScope,
  serialNumber: string,
  kind: ContentKind,
): Promise<DeviceContentRow | undefined> {
  const [row] = await read(
    db,
    columns(kind),
    (list) => sql`
      select ${list} from device d
      left join zone z on z.organization_id = ${organizationId} and z.id = d.zone_id
      left join host on host.organization_id = ${organizationId} and host.id = d.host_id
      left join reported_configuration c on c.organization_id = ${organizationId} and c.id = d.configuration_id
      left join reported_firmware f on f.organization_id = ${organizationId} and f.id = d.firmware_id
      left join desired on desired.organization_id = ${organizationId} and desired.zone_id = d.zone_id and desired.device_type = d.device_type
        and desired.kind = ${kind}
      left join publication zones on zones.organization_id = ${organizationId} and zones.id = desired.publication_id
      left join lateral (
        select own.publication_id from publication_reader own join publication r on r.organization_id = ${organizationId} and r.id = own.publication_id
        where own.organization_id = ${organizationId} and own.device_id = d.id and own.is_here and r.replaced_at is null and r.kind = ${kind}
        order by r.revision desc limit 1
      ) own on true
      left join publication p on p.organization_id = ${organizationId} and p.id = coalesce(own.publication_id, desired.publication_id)
      left join rollout r on r.organization_id = ${organizationId} and r.id = p.rollout_id
      left join "user" publisher on publisher.id = p.published_by
      left join outcome o on o.organization_id = ${organizationId} and o.publication_id = p.id and o.device_id = d.id
      where d.organization_id = ${organizationId} and d.serial_number = ${serialNumber} and ${isInZones({ zones }, sql`d.zone_id`)}`,
  )
  return row
}
