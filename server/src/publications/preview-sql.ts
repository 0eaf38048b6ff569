import { maxRunning } from '@lectern/contract/publications/preview.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { configurationLabel } from '../lib/database/names.ts'
import { boolean, integer, orNull, read, text } from '../lib/database/rows.ts'
import { isSameContent, runsNewer } from '../lib/database/same-content.ts'
import { isHostSilent } from '../lib/database/silent.ts'

export interface PreviewedPart {
  model: string
  isFirmware: boolean
  /** Of `kindBits`. */
  kindBit: number
  /** SHA-256 of a configuration; null for firmware. */
  hash: string | null
  label: string
  /** Null for a configuration, and for firmware without a version. */
  versionOrder: string | null
}

const fromParts = (parts: readonly PreviewedPart[]): RawBuilder<unknown> => {
  const column = (key: keyof PreviewedPart, type: string) => sql`${parts.map((part) => part[key])}::${sql.raw(type)}[]`
  return sql`unnest(${column('model', 'device_model')}, ${column('isFirmware', 'boolean')}, ${column('hash', 'text')}, ${column('label', 'text')},
    ${column('versionOrder', 'text')}, ${column('kindBit', 'int')}) with ordinality
    as part (model, is_firmware, hash, label, version_order, kind_bit, number)`
}

interface ZoneIds {
  organizationId: number
  zones: readonly number[]
}

const joinReaders = ({ organizationId, zones }: ZoneIds) => sql`
  join device d on d.organization_id = ${organizationId} and d.zone_id = any(${zones}::int[]) and d.device_type = part.model`

const joinReported = (organizationId: number, configuration: RawBuilder<unknown>, firmware: RawBuilder<unknown>) => sql`
  left join reported_configuration c on not part.is_firmware and c.organization_id = ${organizationId} and c.id = ${configuration}
  left join reported_firmware f on part.is_firmware and f.organization_id = ${organizationId} and f.id = ${firmware}`

/** SQL: whether reported content `c` or `f` is the part's. */
const isReported = sql`coalesce(${isSameContent(
  { configuration: 'c', firmware: 'f' },
  { isFirmware: sql`part.is_firmware`, order: sql`part.version_order`, hash: sql`part.hash`, label: sql`part.label` },
)}, false)`

/** Columns for the facts that decide what becomes of a reader in a dry run. */
export const verdictColumns = {
  isSame: boolean(sql`is_same`),
  hasHost: boolean(sql`has_host`),
  isSilent: boolean(sql`is_silent`),
  isOnTwoPcs: boolean(sql`is_on_two_pcs`),
  isMissing: boolean(sql`is_missing`),
  isImpossible: boolean(sql`is_impossible`),
  isBatteryLow: boolean(sql`is_battery_low`),
  runsNewer: boolean(sql`runs_newer`),
}

/**
 * SQL: the columns of these facts for reader `d` and its `host`.
 * @param kindBit SQL: of `kindBits`, how the content is stored
 */
export const factsOfReader = (organizationId: number, minBattery: number, kindBit: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  coalesce(host.revoked_at is null and host.id is not null, false) as has_host,
  ${isHostSilent(organizationId, 'host')} as is_silent,
  host.on_two_pcs_at is not null as is_on_two_pcs,
  d.last_seen_at is not null as is_missing,
  coalesce(d.can & ${kindBit} = 0, false) as is_impossible,
  coalesce(d.battery_health < ${minBattery}, false) as is_battery_low`

/**
 * Counts readers by their facts, for all zones together and for each zone of the page. `zone`: null for all together. `partIndex`: place in
 * `parts`.
 */
export const selectReaderGroups = (
  db: Database,
  { organizationId, zones }: ZoneIds,
  { parts, page, minBattery }: { parts: readonly PreviewedPart[]; page: readonly number[]; minBattery: number },
) =>
  read(
    db,
    {
      zone: orNull(integer(sql`zone_id`)),
      partIndex: integer(sql`number - 1`),
      ...verdictColumns,
      agentVersion: orNull(text(sql`agent_version`)),
      readers: integer(sql`count(*)`),
    },
    (list) => sql`
      select ${list} from (
        select part.number, d.zone_id, host.agent_version,
          ${isReported} as is_same,
          ${factsOfReader(organizationId, minBattery, sql`part.kind_bit`)},
          ${runsNewer(sql`part.version_order`)} as runs_newer
        from ${fromParts(parts)} ${joinReaders({ organizationId, zones })}
        left join host on host.organization_id = ${organizationId} and host.id = d.host_id
        ${joinReported(organizationId, sql`d.configuration_id`, sql`d.firmware_id`)}
      ) reader
      group by grouping sets (
        (number, is_same, has_host, is_silent, is_on_two_pcs, is_missing, is_impossible, is_battery_low, runs_newer, agent_version),
        (zone_id, number, is_same, has_host, is_silent, is_on_two_pcs, is_missing, is_impossible, is_battery_low, runs_newer, agent_version))
      having grouping(zone_id) = 1 or zone_id = any(${page}::int[])`,
  )

/** How many zones are asked what they must run, for each content that readers report. */
const zonesAsked = 8

/**
 * Returns what most readers report. Readers that report nothing have no name. `location`: of a configuration, a zone that must run it, looked for
 * where most readers report it. Zones and publications are looked up by key: right after a large publish the planner has no statistics about it.
 */
export const selectRunningContents = (db: Database, { organizationId, zones }: ZoneIds, parts: readonly PreviewedPart[]) =>
  read(
    db,
    {
      partIndex: integer(sql`part.number - 1`),
      name: orNull(text(sql`coalesce(c.label, f.version)`)),
      readers: integer(sql`ranked.readers`),
      matches: boolean(isReported),
      location: orNull(text(sql`place.public_id`)),
    },
    (list) => sql`
      with zoned as (
        select part.number, part.model, part.is_firmware, case when part.is_firmware then d.firmware_id else d.configuration_id end as reported, d.zone_id,
          count(*)::int as readers
        from ${fromParts(parts)} ${joinReaders({ organizationId, zones })} group by 1, 2, 3, 4, 5
      ), grouped as (
        select number, model, is_firmware, reported, sum(readers)::int as readers, (array_agg(zone_id order by readers desc))[1:${sql.lit(zonesAsked)}] as zones
        from zoned group by 1, 2, 3, 4
      ), ranked as (
        select *, row_number() over (partition by number order by readers desc, reported) as rank from grouped
      ), asked as materialized (
        select distinct model, zone_id from ranked cross join unnest(zones) zone_id where rank <= ${maxRunning} and not is_firmware and reported is not null
      ), known as materialized (
        select distinct on (p.device_type, p.content_hash, p.label) p.device_type, p.content_hash, p.label, asked.zone_id
        from asked
        cross join lateral (select publication_id from desired
          where organization_id = ${organizationId} and zone_id = asked.zone_id and device_type = asked.model and kind = 'configuration' limit 1) desired
        cross join lateral (select device_type, content_hash, ${configurationLabel('publication')} as label from publication
          where organization_id = ${organizationId} and id = desired.publication_id limit 1) p
        order by p.device_type, p.content_hash, p.label, asked.zone_id
      )
      select ${list} from ranked join ${fromParts(parts)} on part.number = ranked.number
      ${joinReported(organizationId, sql`ranked.reported`, sql`ranked.reported`)}
      left join known on known.device_type = part.model and known.content_hash = c.content_hash and known.label = c.label
      left join lateral (select public_id from zone where organization_id = ${organizationId} and id = known.zone_id limit 1) place on true
      where ranked.rank <= ${maxRunning} order by ranked.number, ranked.rank`,
  )

/** Returns how many readers of the parts' models the zones have, from stored counts. */
export async function countReaders(db: Database, { organizationId, zones }: ZoneIds, parts: readonly PreviewedPart[]): Promise<number> {
  const models = parts.map(({ model }) => model)
  const [row] = await read(
    db,
    { readers: integer(sql`coalesce(sum(total), 0)`) },
    (list) => sql`
      select ${list} from device_count where organization_id = ${organizationId} and (zone_id = any(${zones}::int[])) is true
        and device_type = any(${models}::device_model[])`,
  )
  return row!.readers
}
