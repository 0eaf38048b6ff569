import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { boolean, integer, read } from '../lib/database/rows.ts'
import type { Host } from '../lib/http/caller.ts'

/** SQL: a server with a beat since then is alive. Beats come every 10 s. */
const there = sql`now() - interval '30 seconds'`

/**
 * Records that this server is alive. Where no server was, an outage of check-ins is stored from the last beat until now. `wasThere`: this
 * server was alive before. `wasGivenUp`: other servers have closed its streams.
 */
export async function upsertBeat(db: Database, server: string) {
  const [row] = await read(
    db,
    {
      wasThere: boolean(sql`coalesce(bool_or(id = ${server} and beat_at > ${there}), false)`),
      wasGivenUp: boolean(sql`coalesce(bool_or(id = ${server} and is_stopped), false)`),
    },
    (list) => sql`
      with before as materialized (
        select * from server_beat
      ), outage as (
        insert into check_in_outage (of_organization, began_at, ended_at)
        select 0, max(beat_at), now() from before having not bool_or(beat_at > ${there} and not is_stopped) on conflict do nothing
      ), own as (
        insert into server_beat (id) values (${server}) on conflict (id) do update set beat_at = now(), is_stopped = false
      )
      select ${list} from before`,
  )
  return row!
}

interface RefusedSince {
  /** 0: refused to all organizations. */
  organizationId: number
  ms: number
}

/** Refusals less than a beat apart are one outage. */
export const upsertOutages = (db: Database, refused: readonly RefusedSince[]) =>
  sql`
    with refused as (
      select * from unnest(${refused.map(({ organizationId }) => organizationId)}::int[], ${refused.map(({ ms }) => ms / 1000)}::float8[]) as r (number, seconds)
    ), longer as (
      update check_in_outage set ended_at = now() from refused where of_organization = number and ended_at > ${there} returning of_organization
    )
    insert into check_in_outage (of_organization, began_at, ended_at)
    select number, now() - make_interval(secs => seconds), now() from refused where number not in (select of_organization from longer)
    on conflict do nothing`.execute(db)

interface StreamRow {
  host: Host
  /** The host has opened this stream after it had another one, here or elsewhere. */
  isNew: boolean
  /** Milliseconds since it was closed; null while it is open. */
  closedMs: number | null
}

/**
 * Writes streams. One that is not new is written only where the host has opened none elsewhere since. Returns hosts with nothing left to
 * write. A locked host is left for later: it is checking in.
 */
export async function updateStreams(db: Database, server: string, streams: readonly StreamRow[]): Promise<number[]> {
  const rows = await read(
    db,
    { id: integer(sql`s.host_id`) },
    (list) => sql`
      with s as materialized (
        select organization_id, host_id, is_new, now() - make_interval(secs => closed) as closed_at
        from unnest(${streams.map(({ host }) => host.organizationId)}::int[], ${streams.map(({ host }) => host.hostId)}::int[],
          ${streams.map(({ isNew }) => isNew)}::boolean[], ${streams.map(({ closedMs }) => closedMs && closedMs / 1000)}::float8[]) as r (organization_id, host_id, is_new, closed)
      ), free as materialized (
        select h.id from s join host h on h.organization_id = s.organization_id and h.id = s.host_id for no key update of h skip locked
      ), written as (
        update host set stream_server = ${server}, stream_closed_at = s.closed_at
        from s where host.organization_id = s.organization_id and host.id = s.host_id and s.host_id in (select id from free)
          and (s.is_new or host.stream_server = ${server})
      )
      select ${list} from s where s.host_id in (select id from free)
        or not exists (select from host h where h.organization_id = s.organization_id and h.id = s.host_id)`,
  )
  return rows.map(({ id }) => id)
}

/** Closes the streams of servers that are gone, as of their last beat. */
export const closeStreamsOfGone = (db: Database) =>
  sql`
    with gone as (update server_beat set is_stopped = true where not is_stopped and beat_at <= ${there} returning id, beat_at)
    update host set stream_closed_at = gone.beat_at from gone where host.stream_server = gone.id and host.stream_closed_at is null`.execute(
    db,
  )

export const closeStreamsOfStopped = (db: Database, server: string) =>
  sql`
    with gone as (update server_beat set is_stopped = true, beat_at = now() where id = ${server} returning id, beat_at)
    update host set stream_closed_at = gone.beat_at from gone where host.stream_server = gone.id and host.stream_closed_at is null`.execute(
    db,
  )
