import type { StoredKind } from '@lectern/contract/publications/content-kind.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { personName } from '../lib/database/names.ts'
import { bigint, day, instant, integer, orNull, type RowOf, read, text } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'

const deviceColumns = {
  id: bigint(sql`d.id`),
  // The first day whose last id is not below the reader's; else today, whose last id is stored later. For readers that are older than such
  // days, the first day that the graphs count.
  first_seen_on: orNull(
    day(sql`case (select min(day) from device_id_day where last_id >= d.id)
      when '-infinity' then (select lower(days) from reported_device r where r.organization_id = d.organization_id and r.device_id = d.serial_number)
      else coalesce((select min(day) from device_id_day where last_id >= d.id), (now() at time zone 'UTC')::date) end`),
  ),
  last_seen_at: instant(sql`coalesce(d.last_seen_at, host.readers_seen_at)`),
}

export async function selectSeen(db: Database, { organizationId, zones }: ZoneScope, serialNumber: string) {
  const [row] = await read(
    db,
    deviceColumns,
    (list) => sql`
      select ${list} from device d left join host on host.organization_id = ${organizationId} and host.id = d.host_id
      where d.organization_id = ${organizationId} and d.serial_number = ${serialNumber} and ${isInZones({ zones }, sql`d.zone_id`)}`,
  )
  return row
}

/** `micros`: the event's instant. `key`: orders events of the same instant. */
interface EventPlace {
  micros: number
  key: string
}

interface EventPage extends ZoneScope {
  deviceId: number
  serialNumber: string
  before: EventPlace | null
  size: number
}

type StoredEventKind =
  | 'applied'
  | 'failed'
  | 'moved'
  | 'configurationDrifted'
  | 'configurationReturned'
  | 'firmwareDrifted'
  | 'firmwareReturned'

const isFirmwareEvent = sql`e.kind in ('firmwareDrifted', 'firmwareReturned')`

const eventColumns = {
  micros: bigint(sql`extract(epoch from e.at) * 1000000`),
  key: text(sql`e.key`),
  at: instant(sql`e.at`),
  kind: text<StoredEventKind>(sql`e.kind`),
  reason: orNull(text(sql`e.reason`)),
  content: orNull(text<StoredKind>(sql`p.content`)),
  content_hash: orNull(text(sql`p.content_hash`)),
  file_name: orNull(text(sql`p.file_name`)),
  version: orNull(text(sql`p.version`)),
  revision: orNull(integer(sql`p.revision`)),
  rollout_id: orNull(text(sql`p.rollout_id`)),
  published_zone: orNull(text(sql`p.zone_name`)),
  published_by: personName('publisher'),
  requested_by: personName('requester'),
  running: orNull(
    text(sql`
      case when e.reported_id is null then null
        when ${isFirmwareEvent} then (select version from reported_firmware f where f.organization_id = e.organization_id and f.id = e.reported_id)
        else (select label from reported_configuration c where c.organization_id = e.organization_id and c.id = e.reported_id) end`),
  ),
  moved_from: orNull(text(sql`e.moved_from`)),
  moved_to: orNull(text(sql`e.moved_to`)),
}
export type EventRow = RowOf<typeof eventColumns>

/** Reads the newest events of each source in the order of an index. Sources without an index have few events per reader. */
export function selectEvents(
  db: Database,
  { organizationId, zones, deviceId, serialNumber, before, size }: EventPage,
): Promise<EventRow[]> {
  const source = (rows: RawBuilder<unknown>, at: RawBuilder<unknown>, key: RawBuilder<unknown>) => {
    const instantOfPage = sql`timestamptz 'epoch' + ${before?.micros ?? 0}::bigint * interval '1 microsecond'`
    const earlier = before
      ? sql`and ${at} <= ${instantOfPage} and (${at}, ${key} collate "C") < (${instantOfPage}, ${before.key} collate "C")`
      : sql``
    return sql`(${rows} ${earlier} order by ${at} desc, ${key} collate "C" desc limit ${size})`
  }
  // A role limited to zones reads no event of another zone, also where the reader came from there.
  const isShown = (publication: RawBuilder<unknown>) =>
    zones === null
      ? sql`true`
      : sql`(${publication} is null or exists (
          select from publication q where q.organization_id = ${organizationId} and q.id = ${publication} and ${isInZones({ zones }, sql`q.zone_id`)}))`
  const outcomes = sql`
    select ${organizationId}::int as organization_id, o.happened_at as at, ('o' || o.publication_id) collate "C" as key, o.outcome as kind, o.reason, o.publication_id,
      null::int as reported_id, null::uuid as requested_by, null as moved_from, null as moved_to
    from outcome o
    where o.organization_id = ${organizationId} and o.device_id = ${deviceId} and ${isShown(sql`o.publication_id`)} and not exists (
      select from reapplication a where a.organization_id = ${organizationId} and a.device_id = ${deviceId} and a.publication_id = o.publication_id
        and a.happened_at = o.happened_at)`
  const reapplications = sql`
    select ${organizationId}::int, a.happened_at, 'r' || a.id, a.outcome, a.reason, a.publication_id, null, a.requested_by, null, null from reapplication a
    where a.organization_id = ${organizationId} and a.device_id = ${deviceId} and a.outcome is not null and ${isShown(sql`a.publication_id`)}`
  const kept = sql`
    select ${organizationId}::int, v.at, 'e' || lpad(v.id::text, 19, '0'), v.kind::text, v.reason, v.publication_id, v.reported_id, null, null, null
    from device_event v where v.organization_id = ${organizationId} and v.device_id = ${deviceId} and ${isShown(sql`v.publication_id`)}`
  const moves = sql`
    select ${organizationId}::int, m.in_effect_since, 'm' || m.id, 'moved', null, null, null, null,
      ${zones === null ? sql`m.target, m.new_value || coalesce(' in ' || m.zone_name, '')` : sql`null, null`}
    from audit_entry m where m.organization_id = ${organizationId} and m.device_serial = ${serialNumber} and m.change_type = 'moveDevice'`
  return read(
    db,
    eventColumns,
    (list) => sql`
      select ${list} from (
        ${source(outcomes, sql`o.happened_at`, sql`('o' || o.publication_id)`)}
        union all ${source(reapplications, sql`a.happened_at`, sql`('r' || a.id)`)}
        union all ${source(kept, sql`v.at`, sql`('e' || lpad(v.id::text, 19, '0'))`)}
        union all ${source(moves, sql`m.in_effect_since`, sql`('m' || m.id)`)}
        order by at desc, key desc limit ${size}
      ) e left join publication p on p.organization_id = ${organizationId} and p.id = e.publication_id
      left join "user" publisher on publisher.id = p.published_by left join "user" requester on requester.id = e.requested_by
      order by e.at desc, e.key desc`,
  )
}
