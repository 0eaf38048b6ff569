import type { StoredKind } from '@lectern/contract/publications/content-kind.ts'
import type { OutcomeCode } from '@lectern/contract/publications/outcome-code.ts'
import type { ReaderState } from '@lectern/contract/rollouts/rollouts.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { boolean, instant, integer, orNull, type RowOf, read, text } from '../lib/database/rows.ts'
import { hasClosedStream, isBeforeCheckIns, isHostSilent } from '../lib/database/silent.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import type { ScopedRollout } from './sql.ts'

/** SQL: whether reader `d` has a final outcome of publication `p`. */
export const hasOutcome = sql`exists (select from outcome o where o.organization_id = p.organization_id and o.publication_id = p.id and o.device_id = d.id and not o.retrying)`

/**
 * SQL: selects the ids of silent readers. `where`: a condition on readers `d`. `ofHosts`: a condition on silent hosts `silent`. There are two
 * lists, as a reader has a `last_seen_at` of its own only once its host PC left it out, and else that of its host.
 */
export const silentReaders = (
  organizationId: number,
  where: RawBuilder<unknown>,
  ofHosts: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> => {
  const isBefore = (at: string) => isBeforeCheckIns(organizationId, sql.ref(at))
  return sql`
    select d.id from device d where d.organization_id = ${organizationId} and ${isBefore('d.last_seen_at')} and ${where}
    union all
    select d.id from host silent join device d on d.organization_id = ${organizationId} and d.host_id = silent.id
    where silent.organization_id = ${organizationId} and (${isBefore('silent.readers_seen_at')} or ${hasClosedStream(organizationId, 'silent')}) and ${ofHosts}
      and (d.last_seen_at is null or not ${isBefore('d.last_seen_at')} and ${hasClosedStream(organizationId, 'silent')}) and ${where}`
}

// `d`, `p`, `e`: aliases of the reader, the publication, and what became of the publication on the reader.
export const readerColumns = (d: string, p: string, e: string) => ({
  serial_number: text(sql.ref(`${d}.serial_number`)),
  device_type: text(sql.ref(`${d}.device_type`)),
  simulated: boolean(sql.ref(`${d}.simulated`)),
  zone_name: orNull(text(sql.ref(`${p}.zone_name`))),
  content: text<StoredKind>(sql.ref(`${p}.content`)),
  content_hash: text(sql.ref(`${p}.content_hash`)),
  file_name: orNull(text(sql.ref(`${p}.file_name`))),
  version: orNull(text(sql.ref(`${p}.version`))),
  state: text<ReaderState>(sql.ref(`${e}.state`)),
  percent: orNull(integer(sql.ref(`${e}.percent`))),
  reason: orNull(text(sql.ref(`${e}.reason`))),
  code: orNull(text<OutcomeCode>(sql.ref(`${e}.code`))),
  at: orNull(instant(sql.ref(`${e}.at`))),
})
export type ReaderRow = RowOf<ReturnType<typeof readerColumns>>

// Only so many of the newest downloads are looked at.
const downloadsRead = 40

// SQL: whether a row of `progress` is of a publication in the scope's zones.
const ofZones = ({ organizationId, zones }: ZoneScope) =>
  zones === null
    ? sql`true`
    : isInZones(
        { zones },
        sql`(select zone_id from publication p where p.organization_id = ${organizationId} and p.id = progress.publication_id)`,
      )

// Returns the newest outcomes and downloads. The newest outcomes are in the publications that settled last, so only few of these are read.
export const selectEvents = (db: Database, { organizationId, zones, id }: ScopedRollout, limit: number): Promise<ReaderRow[]> =>
  read(
    db,
    readerColumns('d', 'p', 'e'),
    (list) => sql`
      select ${list} from (
        (select o.* from (
          select id from publication where organization_id = ${organizationId} and rollout_id = ${id} and settled_at is not null
            and ${isInZones({ zones }, sql`zone_id`)}
          order by settled_at desc limit ${limit}
        ) p cross join lateral (
          select publication_id, device_id, outcome as state, null::int as percent, reason, code, reported_at as at from outcome
          where organization_id = ${organizationId} and publication_id = p.id and not retrying and outcome <> 'kept' order by reported_at desc limit ${limit}
        ) o)
        union all
        (select g.publication_id, g.device_id, 'downloading', g.percent, null, null, g.reported_at from (
          select * from progress where organization_id = ${organizationId} and rollout_id = ${id} and device_id is not null
            and ${ofZones({ organizationId, zones })}
          order by reported_at desc limit ${downloadsRead}
        ) g cross join lateral (
          select from publication p join host on host.organization_id = ${organizationId} and host.id = g.host_id and not ${isHostSilent(organizationId, 'host')}
          where p.organization_id = ${organizationId} and p.id = g.publication_id and p.replaced_at is null limit 1
        ) under_way order by g.reported_at desc limit ${limit})
        order by at desc, device_id limit ${limit}
      ) e join publication p on p.organization_id = ${organizationId} and p.id = e.publication_id
      join device d on d.organization_id = ${organizationId} and d.id = e.device_id order by e.at desc, d.serial_number`,
  )

export const selectFailed = (db: Database, { organizationId, zones, id }: ScopedRollout, limit: number): Promise<ReaderRow[]> =>
  read(
    db,
    readerColumns('d', 'p', 'o'),
    (list) => sql`
      select ${list} from (
        select * from publication where organization_id = ${organizationId} and rollout_id = ${id} and failed_at is not null
          and ${isInZones({ zones }, sql`zone_id`)}
        order by failed_at desc limit ${limit}
      ) p cross join lateral (
        select device_id, outcome as state, null::int as percent, reason, code, reported_at as at from outcome o
        where o.organization_id = ${organizationId} and o.publication_id = p.id and o.outcome = 'failed' and not o.retrying order by o.reported_at desc limit ${limit}
      ) o join device d on d.organization_id = ${organizationId} and d.id = o.device_id
      order by o.at desc, d.serial_number limit ${limit}`,
  )

/**
 * SQL: from the readers that a retry is for: failed outcomes `o` of current publications `p`, whose readers are still in the zone and may take
 * the content (decision 97).
 */
const fromRetried = ({ organizationId, zones, id }: ScopedRollout) => sql`
  publication p join outcome o on o.organization_id = ${organizationId} and o.publication_id = p.id
  where p.organization_id = ${organizationId} and p.rollout_id = ${id} and p.replaced_at is null and o.outcome = 'failed' and o.is_here
    and o.code is distinct from 'notPossible' and not o.retrying and ${isInZones({ zones }, sql`p.zone_id`)}`

/** SQL: selects the readers that a retry is for, by publication and reader. */
export const retriedReaders = (rollout: ScopedRollout): RawBuilder<unknown> =>
  sql`select o.publication_id, o.device_id from ${fromRetried(rollout)}`

/** Opens a reapplication for each reader that a retry is for. Returns how many there are in each zone, by its public id. */
export function insertRetries(db: Database, rollout: ScopedRollout, requestedBy: string): Promise<{ zone: string; readers: number }[]> {
  const { organizationId } = rollout
  return read(
    db,
    { zone: text(sql`z.public_id`), readers: integer(sql`count(*)`) },
    (list) => sql`
      with failed as (
        select o.publication_id, o.device_id, p.zone_id
        from ${fromRetried(rollout)}
        order by o.publication_id, o.device_id for no key update of o
      ), opened as (
        insert into reapplication (id, organization_id, publication_id, device_id, requested_by)
        select gen_random_uuid(), ${organizationId}, publication_id, device_id, ${requestedBy} from failed
        on conflict (organization_id, publication_id, device_id) where outcome is null do nothing
      ), marked as (
        update outcome o set retrying = true from failed f
        where o.organization_id = ${organizationId} and o.publication_id = f.publication_id and o.device_id = f.device_id
      )
      select ${list} from failed f join zone z on z.organization_id = ${organizationId} and z.id = f.zone_id
      group by z.public_id`,
  )
}
