import { maxRunning } from '@lectern/contract/publications/preview.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { configurationLabel } from '../lib/database/names.ts'
import { isOffline } from '../lib/database/offline.ts'
import { boolean, integer, orNull, read, text } from '../lib/database/rows.ts'

export interface PreviewedPart {
  model: string
  isFirmware: boolean
  /** Null for firmware. */
  hash: string | null
  label: string
  /** Null for firmware without a version. */
  versionOrder: string | null
}

const fromParts = (parts: readonly PreviewedPart[]): RawBuilder<unknown> => {
  const column = (key: keyof PreviewedPart, type: string) => sql`${parts.map((part) => part[key])}::${sql.raw(type)}[]`
  return sql`unnest(${column('model', 'device_model')}, ${column('isFirmware', 'boolean')}, ${column('hash', 'text')}, ${column('label', 'text')},
    ${column('versionOrder', 'text')}) with ordinality as part (model, is_firmware, hash, label, version_order, place)`
}

interface Place {
  organizationId: number
  zones: readonly number[]
}

const joinReaders = ({ organizationId, zones }: Place) => sql`
  join device d on d.organization_id = ${organizationId} and d.zone_id = any(${zones}::int[]) and d.device_type = part.model`

const joinReported = (organizationId: number, configuration: RawBuilder<unknown>, firmware: RawBuilder<unknown>) => sql`
  left join reported_configuration c on not part.is_firmware and c.organization_id = ${organizationId} and c.id = ${configuration}
  left join reported_firmware f on part.is_firmware and f.organization_id = ${organizationId} and f.id = ${firmware}`

/** Readers by their facts, of all zones together (`zone` is null) and of each zone of the page. `place`: of the part, from 0. */
export const selectReaderGroups = (
  db: Database,
  { organizationId, ...place }: Place,
  { parts, page, minBattery }: { parts: readonly PreviewedPart[]; page: readonly number[]; minBattery: number },
) =>
  read(
    db,
    {
      zone: orNull(integer(sql`zone_id`)),
      place: integer(sql`place - 1`),
      isSame: boolean(sql`is_same`),
      hasHost: boolean(sql`has_host`),
      isOffline: boolean(sql`is_offline`),
      isMissing: boolean(sql`is_missing`),
      isBatteryLow: boolean(sql`is_battery_low`),
      runsNewer: boolean(sql`runs_newer`),
      agentVersion: orNull(text(sql`agent_version`)),
      readers: integer(sql`count(*)`),
    },
    (list) => sql`
      select ${list} from (
        select part.place, d.zone_id, host.agent_version,
          coalesce(case when part.is_firmware then f.version_order = part.version_order
            else c.content_hash = part.hash and c.label = part.label end, false) as is_same,
          coalesce(host.revoked_at is null and host.id is not null, false) as has_host,
          coalesce(d.offline or ${isOffline(sql`coalesce(d.last_seen_at, host.readers_seen_at)`)}, false) as is_offline,
          d.last_seen_at is not null as is_missing,
          coalesce(d.battery_health < ${minBattery}, false) as is_battery_low,
          coalesce(split_part(f.version_sort, ' ', 1) collate "C" > version_rank(part.version_order) collate "C", false) as runs_newer
        from ${fromParts(parts)} ${joinReaders({ organizationId, ...place })}
        left join host on host.organization_id = ${organizationId} and host.id = d.host_id
        ${joinReported(organizationId, sql`d.configuration_id`, sql`d.firmware_id`)}
      ) reader
      group by grouping sets (
        (place, is_same, has_host, is_offline, is_missing, is_battery_low, runs_newer, agent_version),
        (zone_id, place, is_same, has_host, is_offline, is_missing, is_battery_low, runs_newer, agent_version))
      having grouping(zone_id) = 1 or zone_id = any(${page}::int[])`,
  )

/** What most readers report, and a zone in which it must run. Readers that report nothing have no name. */
export const selectRunningContents = (db: Database, { organizationId, zones }: Place, parts: readonly PreviewedPart[]) =>
  read(
    db,
    {
      place: integer(sql`part.place - 1`),
      name: orNull(text(sql`coalesce(c.label, f.version)`)),
      readers: integer(sql`part.readers`),
      location: orNull(text(sql`known.public_id`)),
    },
    (list) => sql`
      with grouped as (
        select part.place, part.model, part.is_firmware, case when part.is_firmware then d.firmware_id else d.configuration_id end as reported,
          count(*)::int as readers
        from ${fromParts(parts)} ${joinReaders({ organizationId, zones })} group by 1, 2, 3, 4
      ), ranked as (
        select *, row_number() over (partition by place order by readers desc, reported) as rank from grouped
      ), known as (
        select distinct on (p.device_type, p.content_hash, 3) p.device_type, p.content_hash, ${configurationLabel('p')} as label,
          z.public_id
        from desired
        join publication p on p.organization_id = ${organizationId} and p.id = desired.publication_id
        join zone z on z.organization_id = ${organizationId} and z.id = desired.zone_id
        where desired.organization_id = ${organizationId} and desired.zone_id = any(${zones}::int[]) and desired.kind = 'configuration'
        order by p.device_type, p.content_hash, 3
      )
      select ${list} from ranked part ${joinReported(organizationId, sql`part.reported`, sql`part.reported`)}
      left join known on known.device_type = part.model and known.content_hash = c.content_hash and known.label = c.label
      where part.rank <= ${maxRunning} order by part.place, part.rank`,
  )
