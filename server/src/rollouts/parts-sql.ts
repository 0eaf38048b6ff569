import type { StoredKind } from '@lectern/contract/publications/content-kind.ts'
import type { OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { personName } from '../lib/database/names.ts'
import { boolean, day, instant, integer, json, orNull, type RowOf, read, text, texts } from '../lib/database/rows.ts'
import { isHostSilent, isReaderSilent } from '../lib/database/silent.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import { countReaders, isForReader } from './present-sql.ts'
import { hasOutcome, silentReaders } from './readers-sql.ts'
import { isZoneNamed, type ScopedRollout } from './sql.ts'
import { phaseWaitedFor } from './zones/phase-waits-sql.ts'

/** SQL: when a gate halted the rollout of publication `p`; null where none has. */
export const gateHaltedAt = sql`case when p.phase is not null then (
  select f.halted_at from rollout_phase f where f.organization_id = p.organization_id and f.rollout_id = p.rollout_id and f.halted_at is not null) end`

export interface ZonePage {
  textFilter: string
  isDescending: boolean
  offset: number
  size: number
}

/** A zone of a rollout. `name`: in small letters, as in the index. `zone_id`: internal; null where the zone was deleted. */
export interface ZoneKey {
  name: string
  zone_id: number | null
}

/**
 * SQL: selects publications with their rollout's stop time, their zone's public id, and their figures. `published`: selects the
 * publications.
 */
const withFigures = (organizationId: number, published: RawBuilder<unknown>) => sql`
  select p.id, p.organization_id, p.rollout_id, p.zone_id, z.public_id as public_zone_id, p.zone_name, p.device_type, p.kind, p.content, p.content_hash, p.file_name, p.version, p.revision,
    p.update_time, p.start_date, r.stop_time, p.at_once, p.published_at, p.halted_at, p.halted_by as halter_id, p.replaced_at, p.applied, p.failed, p.version_order, p.phase, c.simulated,
    ${countReaders(sql`case when p.for_readers then p.present else coalesce(c.total, 0) end`)} as readers, p.for_readers, p.present,
    p.withdrawn_by, p.returned_at
  from (${published}) p join rollout r on r.organization_id = ${organizationId} and r.id = p.rollout_id
  left join zone z on z.organization_id = ${organizationId} and z.id = p.zone_id
  left join lateral (
    select sum(total)::int as total, sum(simulated)::int as simulated from device_count c
    where c.organization_id = ${organizationId} and c.zone_id = p.zone_id and c.device_type = p.device_type
  ) c on true`

// SQL: selects the publications of rollouts in the scope's zones.
const inRollouts = ({ organizationId, zones }: ZoneScope, rolloutIds: readonly string[]) => sql`
  select * from publication where organization_id = ${organizationId} and rollout_id = any(${rolloutIds}::uuid[]) and ${isInZones({ zones }, sql`zone_id`)}`

// SQL: selects a rollout's publications in some zones. `shown`: selects these zones, as rows of `ZoneKey`. Each is looked up by itself, so
// that other zones are not read.
const inZones = ({ organizationId, id }: ScopedRollout, shown: RawBuilder<unknown>) => sql`
  select p.* from (${shown}) shown cross join lateral (
    select * from publication p where p.organization_id = ${organizationId} and p.rollout_id = ${id} and lower(p.zone_name) = shown.name
      and p.zone_id is not distinct from shown.zone_id offset 0
  ) p`

// SQL: whether publication `p` is current and has readers without an outcome. Only then its readers are looked up.
const hasOpenReaders = sql`p.replaced_at is null and p.readers > p.applied + p.failed`

const zoneHosts = (organizationId: number) => sql`
  select bool_or(not ${isHostSilent(organizationId, 'host')}) as is_online, array_agg(distinct time_zone_history) as time_zone_histories
  from host where host.organization_id = p.organization_id and host.zone_id = p.zone_id and revoked_at is null`

const hostDownload = (organizationId: number) => sql`
  select max(g.percent) as percent from progress g join host on host.organization_id = p.organization_id and host.id = g.host_id and not ${isHostSilent(organizationId, 'host')}
  where g.organization_id = p.organization_id and g.publication_id = p.id and g.device_id is null and g.percent < 100 and ${hasOpenReaders}`

const downloadingReaders = (organizationId: number) => sql`
  select count(distinct d.id) as readers from progress g join host on host.organization_id = p.organization_id and host.id = g.host_id and not ${isHostSilent(organizationId, 'host')}
  join device d on d.organization_id = p.organization_id and d.id = g.device_id and d.zone_id = p.zone_id and d.device_type = p.device_type
  left join host own on own.organization_id = p.organization_id and own.id = d.host_id
  where g.organization_id = p.organization_id and g.publication_id = p.id and ${hasOpenReaders}
    and not ${isReaderSilent(organizationId, 'd', 'own')} and not ${hasOutcome}`

const isInPart = sql`d.zone_id = p.zone_id and d.device_type = p.device_type and ${isForReader}`

const countSilent = (organizationId: number) => sql`
  select count(*) as readers from (
    ${silentReaders(organizationId, sql`${isInPart} and not ${hasOutcome}`, sql`silent.zone_id = p.zone_id`)}
  ) silent where ${hasOpenReaders}`

/** SQL: whether publication `p` has simulated readers in its zone, or outcomes of simulated readers. */
const hasSimulated = sql`coalesce(p.simulated, 0) > 0 or exists (
  select from device d join outcome o on o.organization_id = p.organization_id and o.publication_id = p.id and o.device_id = d.id
  where d.organization_id = p.organization_id and d.simulated)`

const ofTarget = {
  id: text(sql`p.id`),
  rollout_id: text(sql`p.rollout_id`),
  zone_id: orNull(integer(sql`p.zone_id`)),
  public_zone_id: orNull(text(sql`p.public_zone_id`)),
  zone_name: orNull(text(sql`p.zone_name`)),
  content: text<StoredKind>(sql`p.content`),
  content_hash: text(sql`p.content_hash`),
  file_name: orNull(text(sql`p.file_name`)),
  version: orNull(text(sql`p.version`)),
  update_time: text(sql`p.update_time`),
  halted_at: orNull(instant(sql`p.halted_at`)),
  replaced_at: orNull(instant(sql`p.replaced_at`)),
  for_readers: boolean(sql`p.for_readers`),
  withdrawn_by: orNull(text(sql`p.withdrawn_by`)),
  limit_at: orNull(instant(sql`halt.at`)),
  limit_resumed: orNull(boolean(sql`halt.is_resumed`)),
  gate_at: orNull(instant(gateHaltedAt)),
}
/** A publication, as changes of its rollout need it. */
export type TargetRow = RowOf<typeof ofTarget>

const ofPublication = {
  name: text(sql`coalesce(lower(p.zone_name), '')`),
  device_type: text(sql`p.device_type`),
  revision: integer(sql`p.revision`),
  start_date: orNull(day(sql`p.start_date`)),
  stop_time: orNull(text(sql`p.stop_time`)),
  open_times: orNull(json<OpenTimes>(sql`open_times(p.organization_id, p.zone_id)`)),
  at_once: boolean(sql`p.at_once`),
  published_at: instant(sql`p.published_at`),
  halted_by: personName('halter'),
}

const ofReaders = (organizationId: number) => ({
  readers: integer(sql`p.readers`),
  applied: integer(sql`p.applied`),
  failed: integer(sql`p.failed`),
  downloading: integer(sql`coalesce(downloading.readers, 0)`),
  silent: integer(sql`coalesce(silent.readers, 0)`),
  has_simulated: boolean(hasSimulated),
  phase_waited_for: orNull(integer(phaseWaitedFor(organizationId))),
  is_retrying: boolean(
    sql`exists (select from outcome o where o.organization_id = p.organization_id and o.publication_id = p.id and o.retrying)`,
  ),
})

const ofHosts = {
  is_online: boolean(sql`coalesce(zone_host.is_online, false)`),
  time_zone_histories: texts(sql`coalesce(zone_host.time_zone_histories, '{}')`),
  host_percent: orNull(integer(sql`host_download.percent`)),
}

const ofSafetyHalt = {
  limit_failed: orNull(integer(sql`halt.failed`)),
  limit_readers: orNull(integer(sql`halt.readers`)),
}

const partColumns = (organizationId: number) => ({
  ...ofTarget,
  ...ofPublication,
  ...ofReaders(organizationId),
  ...ofHosts,
  ...ofSafetyHalt,
})

/** A publication, as pages show it, read at one moment. `halted_by`: the user's name. */
export type PartRow = RowOf<ReturnType<typeof partColumns>>

const safetyHalt = (organizationId: number) => sql`
  left join safety_halt halt on halt.organization_id = ${organizationId} and halt.rollout_id = p.rollout_id and halt.zone_id = p.zone_id`

/** Reads the publications of rollouts, without their readers, hosts and downloads. */
export const selectTargets = (db: Database, scope: ZoneScope, rolloutIds: readonly string[]): Promise<TargetRow[]> =>
  read(
    db,
    ofTarget,
    (list) => sql`
      select ${list} from (
        select p.*, z.public_id as public_zone_id from (${inRollouts(scope, rolloutIds)}) p
        left join zone z on z.organization_id = ${scope.organizationId} and z.id = p.zone_id
      ) p ${safetyHalt(scope.organizationId)} order by lower(p.zone_name), p.zone_id, p.device_type, p.kind`,
  )

/** @param withReaders whether silent and simulated readers are looked up; else both count as none */
export const selectParts = (
  db: Database,
  scope: ZoneScope,
  rolloutIds: readonly string[],
  { withReaders = true } = {},
): Promise<PartRow[]> => readParts(db, scope.organizationId, inRollouts(scope, rolloutIds), withReaders)

/** Returns a page of the rollout's zones, in the order of their names. */
export function selectZonePage(
  db: Database,
  { organizationId, zones, id }: ScopedRollout,
  { textFilter, isDescending, offset, size }: ZonePage,
): Promise<ZoneKey[]> {
  const direction = isDescending ? sql`desc` : sql`asc`
  return read(
    db,
    { name: text(sql`name`), zone_id: orNull(integer(sql`zone_id`)) },
    (list) => sql`
      select ${list} from (
        select distinct * from (
          select lower(p.zone_name) as name, p.zone_id from publication p
          where p.organization_id = ${organizationId} and p.rollout_id = ${id} and p.names_zone and ${isZoneNamed(textFilter)}
            and ${isInZones({ zones }, sql`p.zone_id`)}
          order by lower(p.zone_name) ${direction}, p.zone_id ${direction} offset ${offset} limit ${size}
        ) page
      ) page order by name ${direction}, page.zone_id ${direction}`,
  )
}

export const selectPartsOfZones = (db: Database, rollout: ScopedRollout, zones: readonly ZoneKey[]): Promise<PartRow[]> => {
  const names = zones.map(({ name }) => name)
  const ids = zones.map(({ zone_id }) => zone_id)
  const shown = sql`select * from unnest(${names}::text[], ${ids}::int[]) zone (name, zone_id)`
  return readParts(db, rollout.organizationId, inZones(rollout, shown))
}

function readParts(db: Database, organizationId: number, published: RawBuilder<unknown>, withReaders = true): Promise<PartRow[]> {
  const isRead = withReaders ? sql`true` : sql`false`
  const columns = partColumns(organizationId)
  return read(
    db,
    withReaders ? columns : { ...columns, has_simulated: boolean(sql`false`) },
    (list) => sql`
      select ${list} from (${withFigures(organizationId, published)}) p
      left join "user" halter on halter.id = p.halter_id
      ${safetyHalt(organizationId)}
      left join lateral (${zoneHosts(organizationId)}) zone_host on true
      left join lateral (${hostDownload(organizationId)}) host_download on true
      left join lateral (${downloadingReaders(organizationId)}) downloading on true
      left join lateral (${countSilent(organizationId)}) silent on ${isRead}
      order by lower(p.zone_name), p.zone_id, p.device_type, p.kind, p.revision`,
  )
}
