import { offlineHours } from '@lectern/contract/devices/devices.ts'
import { hostOnlineMinutes } from '@lectern/contract/hosts.ts'
import type { ReaderState } from '@lectern/contract/rollouts.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'

/** Whether a reader has not been seen for over 72 hours (spec §9). */
const unseen = (lastSeen: RawBuilder<unknown>) => sql`${lastSeen} < now() - make_interval(hours => ${offlineHours})`
const online = sql`host.last_seen_at > now() - make_interval(mins => ${hostOnlineMinutes})`

/** A rollout's own row. */
export interface RolloutRow {
  id: string
  published_at: Date
  published_by: string | null
  rolls_back: string | null
  rolled_back_by: string | null
}

const rolloutColumns = sql`r.id, r.published_at, u.email as published_by, r.rolls_back,
  (select b.id from rollout b where b.rolls_back = r.id order by b.id desc limit 1) as rolled_back_by`

/** A page of an organization's rollouts, the newest first. */
export async function selectRollouts(db: Database, organizationId: string, page: { offset: number; size: number }): Promise<RolloutRow[]> {
  const { rows } = await sql<RolloutRow>`
    select ${rolloutColumns} from (
      select * from rollout where organization_id = ${organizationId} order by published_at desc, id desc offset ${page.offset} limit ${page.size}
    ) r left join "user" u on u.id = r.published_by order by r.published_at desc, r.id desc`.execute(db)
  return rows
}

export async function countRollouts(db: Database, organizationId: string): Promise<number> {
  const count = db.selectFrom('rollout').select(sql<number>`count(*)`.as('count')).where('organization_id', '=', organizationId)
  return (await count.executeTakeFirstOrThrow()).count
}

/** The safety limits of a rollout and of those that come later. */
interface LimitRow {
  above_percent: number | null
  stop_time: string | null
  later_percent: number | null
  later_stop_time: string | null
}

/** A rollout of an organization, or undefined. */
export async function selectRollout(db: Database, organizationId: string, id: string): Promise<(RolloutRow & LimitRow) | undefined> {
  const { rows } = await sql<RolloutRow & LimitRow>`
    select ${rolloutColumns}, r.halt_above_percent as above_percent, r.stop_time, o.halt_above_percent as later_percent, o.stop_time as later_stop_time
    from rollout r join organization o on o.id = r.organization_id left join "user" u on u.id = r.published_by
    where r.id = ${id} and r.organization_id = ${organizationId}`.execute(db)
  return rows[0]
}

/**
 * A publication of a rollout with what became of it, all from one moment. `limit_…` says how the safety limit halted its zone, `previous_…` what
 * the same readers had before.
 */
export interface PartRow {
  id: string
  rollout_id: string
  zone_id: string | null
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
  halted_by: string | null
  limit_at: Date | null
  limit_failed: number | null
  limit_readers: number | null
  limit_resumed: boolean | null
  replaced_at: Date | null
  readers: number
  applied: number
  failed: number
  downloading: number
  offline: number
  retryable: number
  is_retrying: boolean
  is_online: boolean
  time_zone: string | null
  host_percent: number | null
  previous_content: 'cfg' | 'file' | 'firmware' | null
  previous_hash: string | null
  previous_size: number | null
  previous_file_name: string | null
  previous_version: string | null
}

/** Whether reader `d` is done with publication `p`. */
const settled = sql`exists (select from outcome o where o.publication_id = p.id and o.device_id = d.id and not o.retrying)`
const isOpen = sql`p.replaced_at is null and p.readers > p.applied + p.failed`

/**
 * The publications of rollouts, by zone and model. What settles a reader is counted where it is kept; only what is under way or offline is looked
 * for, and only where somebody is still to be served.
 */
export async function selectParts(db: Database, rolloutIds: readonly string[]): Promise<PartRow[]> {
  const { rows } = await sql<PartRow>`
    select p.*, halter.email as halted_by,
      limited.at as limit_at, limited.failed as limit_failed, limited.readers as limit_readers, limited.is_resumed as limit_resumed, coalesce(h.is_online, false) as is_online, h.time_zone, fetching.percent as host_percent,
      coalesce(downloading.readers, 0)::int as downloading, coalesce(offline.readers, 0)::int as offline, coalesce(retryable.readers, 0)::int as retryable,
      exists (select from outcome o where o.publication_id = p.id and o.retrying) as is_retrying,
      q.content as previous_content, q.content_hash as previous_hash, q.size as previous_size, q.file_name as previous_file_name, q.version as previous_version
    from (
      select p.id, p.organization_id, p.rollout_id, p.zone_id, p.zone_name, p.device_type, p.content, p.content_hash, p.file_name, p.version, p.revision,
        p.update_time, r.stop_time, p.at_once, p.published_at, p.halted_at, p.halted_by as halter_id, p.replaced_at, p.applied, p.failed,
        case when p.replaced_at is null then coalesce(c.total, 0) + p.gone else greatest(p.replaced_readers, p.applied + p.failed) end as readers
      from publication p join rollout r on r.id = p.rollout_id
      left join device_count c on c.organization_id = p.organization_id and c.zone_id = p.zone_id and c.device_type = p.device_type
      where p.rollout_id = any(${rolloutIds}::uuid[])
    ) p
    left join "user" halter on halter.id = p.halter_id
    left join safety_halt limited on limited.rollout_id = p.rollout_id and limited.zone_id = p.zone_id
    left join lateral (
      select bool_or(coalesce(${online}, false)) as is_online, (array_agg(time_zone order by last_seen_at desc nulls last))[1] as time_zone
      from host where host.organization_id = p.organization_id and host.zone_id = p.zone_id and revoked_at is null
    ) h on true
    left join lateral (
      select max(g.percent) as percent from progress g join host on host.id = g.host_id and ${online}
      where g.publication_id = p.id and g.device_id is null and g.percent < 100 and ${isOpen}
    ) fetching on true
    left join lateral (
      select count(distinct d.id) as readers from progress g join host on host.id = g.host_id and ${online}
      join device d on d.id = g.device_id and d.zone_id = p.zone_id and d.device_type = p.device_type join device_state s on s.device_id = d.id
      where g.publication_id = p.id and ${isOpen} and not ${unseen(sql`s.last_seen_at`)} and not ${settled}
    ) downloading on true
    left join lateral (
      select count(*) as readers from (
        select id from device where zone_id = p.zone_id and device_type = p.device_type and offline
        union all
        select id from device_state s join device on id = s.device_id
        where s.organization_id = p.organization_id and not s.offline and ${unseen(sql`s.last_seen_at`)} and not device.offline
          and zone_id = p.zone_id and device_type = p.device_type
      ) d where ${isOpen} and not ${settled}
    ) offline on true
    left join lateral (
      select count(*) as readers from outcome o
      where o.publication_id = p.id and o.outcome = 'failed' and not o.retrying and o.is_here and p.replaced_at is null and p.failed > 0
    ) retryable on true
    left join lateral (
      select content, content_hash, size, file_name, version from publication q
      where q.zone_id = p.zone_id and q.device_type = p.device_type and (q.content = 'firmware') = (p.content = 'firmware') and q.revision < p.revision
      order by q.revision desc limit 1
    ) q on true
    order by lower(p.zone_name), p.zone_id, p.device_type, p.content = 'firmware', p.revision`.execute(db)
  return rows
}

/** A reader of a rollout and how it stands. */
export interface ReaderRow {
  serial_number: string
  device_type: string
  zone_name: string | null
  content: 'cfg' | 'file' | 'firmware'
  content_hash: string
  file_name: string | null
  version: string | null
  state: ReaderState
  percent: number | null
  reason: string | null
  at: Date | null
}

const contentColumns = sql`p.zone_name, p.content, p.content_hash, p.file_name, p.version`
/** How far reader `d` has come with publication `p`, as a host that is there says. */
const underWay = sql`left join lateral (
  select g.percent, g.told_at from progress g join host on host.id = g.host_id and ${online}
  where g.publication_id = p.id and g.device_id = d.id order by g.told_at desc limit 1) g on true`

/** What happened last in a rollout, the newest first: outcomes, and readers that are under way. */
export async function selectEvents(db: Database, rolloutId: string, limit: number): Promise<ReaderRow[]> {
  const { rows } = await sql<ReaderRow>`
    select d.serial_number, d.device_type, p.zone_name, p.content, p.content_hash, p.file_name, p.version, e.state, e.percent, e.reason, e.at
    from publication p, lateral (
      (select device_id, outcome as state, null::int as percent, reason, reported_at as at from outcome where publication_id = p.id and not retrying
        order by reported_at desc limit ${limit})
      union all
      (select g.device_id, 'downloading', g.percent, null, g.told_at from progress g join host on host.id = g.host_id and ${online}
        where g.publication_id = p.id and g.device_id is not null and p.replaced_at is null order by g.told_at desc limit ${limit})
    ) e join device d on d.id = e.device_id
    where p.rollout_id = ${rolloutId} order by e.at desc, d.serial_number limit ${limit}`.execute(db)
  return rows
}

/** The readers of a rollout that failed last. */
export async function selectFailed(db: Database, rolloutId: string, limit: number): Promise<ReaderRow[]> {
  const { rows } = await sql<ReaderRow>`
    select d.serial_number, d.device_type, ${contentColumns}, 'failed' as state, null as percent, o.reason, o.reported_at as at
    from publication p cross join lateral (
      select * from outcome o where o.publication_id = p.id and o.outcome = 'failed' and not o.retrying order by o.reported_at desc limit ${limit}
    ) o join device d on d.id = o.device_id
    where p.rollout_id = ${rolloutId} and p.failed > 0 order by o.reported_at desc, d.serial_number limit ${limit}`.execute(db)
  return rows
}

export interface ReaderFilter {
  zone?: string | undefined
  model?: string | undefined
  state?: ReaderState | undefined
  textFilter: string
}

/** A page of the readers of a rollout by serial number, and how many there are in all. Who was not served before something newer came is not known. */
export async function selectReaders(
  db: Database,
  rolloutId: string,
  { zone, model, state, textFilter }: ReaderFilter,
  page: { offset: number; size: number },
): Promise<{ rows: ReaderRow[]; total: number }> {
  const wanted: RawBuilder<unknown>[] = [sql`p.rollout_id = ${rolloutId}`]
  if (zone !== undefined) wanted.push(sql`p.zone_id = ${zone}`)
  if (model !== undefined) wanted.push(sql`p.device_type = ${model}`)
  const shown: RawBuilder<unknown>[] = [sql`true`]
  if (state !== undefined) shown.push(sql`state = ${state}`)
  if (textFilter.trim() !== '')
    shown.push(
      sql`lower(serial_number) like ${`%${textFilter
        .trim()
        .toLowerCase()
        .replace(/[\\%_]/g, '\\$&')}%`}`,
    )
  const all = sql`
    select d.serial_number, d.device_type, ${contentColumns}, o.outcome as state, null::int as percent, o.reason, o.reported_at as at
    from publication p join outcome o on o.publication_id = p.id and not o.retrying join device d on d.id = o.device_id
    where ${sql.join(wanted, sql` and `)}
    union all
    select d.serial_number, d.device_type, ${contentColumns},
      case when ${unseen(sql`s.last_seen_at`)} then 'offline' when g.percent is not null then 'downloading' else 'waiting' end,
      g.percent, null, case when ${unseen(sql`s.last_seen_at`)} then s.last_seen_at else g.told_at end
    from publication p join device d on d.zone_id = p.zone_id and d.device_type = p.device_type join device_state s on s.device_id = d.id ${underWay}
    where ${sql.join(wanted, sql` and `)} and p.replaced_at is null and not ${settled}`
  const { rows } = await sql<ReaderRow>`
    select * from (${all}) reader where ${sql.join(shown, sql` and `)}
    order by serial_number, content = 'firmware' offset ${page.offset} limit ${page.size}`.execute(db)
  const counted = await sql<{
    total: number
  }>`select count(*)::int as total from (${all}) reader where ${sql.join(shown, sql` and `)}`.execute(db)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}
