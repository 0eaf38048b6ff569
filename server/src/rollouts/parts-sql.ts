import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isOffline } from '../lib/database/offline.ts'
import { personName } from '../lib/database/person-name.ts'
import { hasOutcome, isHostOnline } from './readers-sql.ts'

interface PublicationColumns {
  id: string
  rollout_id: string
  zone_id: number | null
  public_zone_id: string | null
  zone_name: string | null
  device_type: string
  content: 'cfg' | 'file' | 'firmware'
  content_hash: string
  file_name: string | null
  version: string | null
  revision: number
  update_time: string
  stop_time: string | null
  at_once: boolean
  published_at: Date
  halted_at: Date | null
  replaced_at: Date | null
}

interface ReaderCounts {
  readers: number
  applied: number
  failed: number
  downloading: number
  offline: number
  retryable: number
  is_retrying: boolean
}

interface SafetyHaltColumns {
  limit_at: Date | null
  limit_failed: number | null
  limit_readers: number | null
  limit_resumed: boolean | null
}

interface HostColumns {
  is_online: boolean
  time_zones: string[]
  host_percent: number | null
}

interface PreviousColumns {
  previous_content: 'cfg' | 'file' | 'firmware' | null
  previous_hash: string | null
  previous_size: number | null
  previous_file_name: string | null
  previous_version: string | null
}

/** A publication of a rollout, all of it from one moment. `halted_by` is a name. */
export interface PartRow extends PublicationColumns, ReaderCounts, SafetyHaltColumns, HostColumns, PreviousColumns {
  halted_by: string | null
}

/** `readers`: those in the zone, and those that left it with an outcome; of a replaced publication, as many as it had then. */
const publications = (organizationId: number, rolloutIds: readonly string[]) => sql`
  select p.id, p.organization_id, p.rollout_id, p.zone_id, z.public_id as public_zone_id, p.zone_name, p.device_type, p.content, p.content_hash, p.file_name, p.version, p.revision,
    p.update_time, r.stop_time, p.at_once, p.published_at, p.halted_at, p.halted_by as halter_id, p.replaced_at, p.applied, p.failed,
    case when p.replaced_at is null then coalesce(c.total, 0) + p.gone else greatest(p.replaced_readers, p.applied + p.failed) end as readers
  from publication p join rollout r on r.organization_id = ${organizationId} and r.id = p.rollout_id
  left join zone z on z.organization_id = ${organizationId} and z.id = p.zone_id
  left join lateral (
    select sum(total)::int as total from device_count c
    where c.organization_id = ${organizationId} and c.zone_id = p.zone_id and c.device_type = p.device_type
  ) c on true
  where p.organization_id = ${organizationId} and p.rollout_id = any(${rolloutIds}::uuid[])`

// Of publication `p`. Readers are looked up only while some have no outcome.
const hasOpenReaders = sql`p.replaced_at is null and p.readers > p.applied + p.failed`

const zoneHosts = sql`
  select bool_or(coalesce(${isHostOnline}, false)) as is_online, array_agg(distinct time_zone) as time_zones
  from host where host.organization_id = p.organization_id and host.zone_id = p.zone_id and revoked_at is null`

const hostDownload = sql`
  select max(g.percent) as percent from progress g join host on host.organization_id = p.organization_id and host.id = g.host_id and ${isHostOnline}
  where g.organization_id = p.organization_id and g.publication_id = p.id and g.device_id is null and g.percent < 100 and ${hasOpenReaders}`

const downloadingReaders = sql`
  select count(distinct d.id) as readers from progress g join host on host.organization_id = p.organization_id and host.id = g.host_id and ${isHostOnline}
  join device d on d.organization_id = p.organization_id and d.id = g.device_id and d.zone_id = p.zone_id and d.device_type = p.device_type
  left join host own on own.organization_id = p.organization_id and own.id = d.host_id
  where g.organization_id = p.organization_id and g.publication_id = p.id and ${hasOpenReaders}
    and not ${isOffline(sql`coalesce(d.last_seen_at, own.readers_seen_at)`)} and not ${hasOutcome}`

const offlineReaders = sql`
  select count(*) as readers from (
    select organization_id, id from device
    where organization_id = p.organization_id and zone_id = p.zone_id and device_type = p.device_type and offline
    union all
    select organization_id, id from device
    where organization_id = p.organization_id and last_seen_at is not null and not offline and ${isOffline(sql`last_seen_at`)}
      and zone_id = p.zone_id and device_type = p.device_type
    union all
    select r.organization_id, r.id from host late join device r on r.organization_id = p.organization_id and r.host_id = late.id
    where late.organization_id = p.organization_id and not late.readers_offline and ${isOffline(sql`late.readers_seen_at`)}
      and r.last_seen_at is null and not r.offline and r.zone_id = p.zone_id and r.device_type = p.device_type
  ) d where ${hasOpenReaders} and not ${hasOutcome}`

const retryableReaders = sql`
  select count(*) as readers from outcome o
  where o.organization_id = p.organization_id and o.publication_id = p.id and o.outcome = 'failed' and not o.retrying and o.is_here and p.replaced_at is null and p.failed > 0`

const previousPublication = sql`
  select content, content_hash, size, file_name, version from publication q
  where q.organization_id = p.organization_id and q.zone_id = p.zone_id and q.device_type = p.device_type and (q.content = 'firmware') = (p.content = 'firmware') and q.revision < p.revision
  order by q.revision desc limit 1`

export async function selectParts(db: Database, organizationId: number, rolloutIds: readonly string[]): Promise<PartRow[]> {
  const { rows } = await sql<PartRow>`
    select p.*, ${personName('halter')} as halted_by, coalesce(zone_host.is_online, false) as is_online, coalesce(zone_host.time_zones, '{}') as time_zones, host_download.percent as host_percent,
      coalesce(downloading.readers, 0)::int as downloading, coalesce(offline.readers, 0)::int as offline, coalesce(retryable.readers, 0)::int as retryable,
      exists (select from outcome o where o.organization_id = p.organization_id and o.publication_id = p.id and o.retrying) as is_retrying,
      halt.at as limit_at, halt.failed as limit_failed, halt.readers as limit_readers, halt.is_resumed as limit_resumed,
      previous.content as previous_content, previous.content_hash as previous_hash, previous.size as previous_size,
      previous.file_name as previous_file_name, previous.version as previous_version
    from (${publications(organizationId, rolloutIds)}) p
    left join "user" halter on halter.id = p.halter_id
    left join safety_halt halt on halt.organization_id = ${organizationId} and halt.rollout_id = p.rollout_id and halt.zone_id = p.zone_id
    left join lateral (${zoneHosts}) zone_host on true
    left join lateral (${hostDownload}) host_download on true
    left join lateral (${downloadingReaders}) downloading on true
    left join lateral (${offlineReaders}) offline on true
    left join lateral (${retryableReaders}) retryable on true
    left join lateral (${previousPublication}) previous on true
    order by lower(p.zone_name), p.zone_id, p.device_type, p.content = 'firmware', p.revision`.execute(db)
  return rows
}
