import { silentAfter } from '@lectern/contract/publications/silent.ts'
import { type RawBuilder, sql } from 'kysely'
import { once } from './rows.ts'

const { streamClosedSeconds, checkedInMinutes, outageMinutes } = silentAfter

// SQL: outages only make the instant earlier, so the row is compared with the instant without them first. From that comparison PostgreSQL
// knows how many rows to expect.
function isBefore(organizationId: number, at: RawBuilder<unknown>, seconds: number) {
  const span = sql`make_interval(secs => ${sql.lit(seconds)})`
  const before = once(sql`silent_before(${organizationId}::integer, ${span}, make_interval(mins => ${sql.lit(outageMinutes)}))`)
  return sql<boolean>`(${at} < now() - ${span} and ${at} < ${before})`
}

/** SQL: whether two check-ins have been missed since an instant; null where that is null. */
export const isBeforeCheckIns = (organizationId: number, at: RawBuilder<unknown>) => isBefore(organizationId, at, 60 * checkedInMinutes)

/** SQL: whether a host's stream (by the host's alias) has been closed for `streamClosedSeconds` and the host has not checked in since. */
export function hasClosedStream(organizationId: number, host: string) {
  const closedAt = sql.ref(`${host}.stream_closed_at`)
  const isBeforeStreams = isBefore(organizationId, closedAt, streamClosedSeconds)
  return sql<boolean>`coalesce(${isBeforeStreams} and ${closedAt} > ${sql.ref(`${host}.last_seen_at`)}, false)`
}

/** SQL: whether a host is silent; true also where it has never checked in, or does not exist. */
export function isHostSilent(organizationId: number, host: string) {
  const seenAt = sql.ref(`${host}.last_seen_at`)
  return sql<boolean>`(${seenAt} is null or ${isBeforeCheckIns(organizationId, seenAt)} or ${hasClosedStream(organizationId, host)})`
}

/** SQL: whether a reader is silent: its host is, or has not reported the reader for two check-ins. */
export function isReaderSilent(organizationId: number, reader: string, host: string) {
  const seenAt = sql`coalesce(${sql.ref(`${reader}.last_seen_at`)}, ${sql.ref(`${host}.readers_seen_at`)})`
  return sql<boolean>`(coalesce(${isBeforeCheckIns(organizationId, seenAt)}, false) or ${hasClosedStream(organizationId, host)})`
}
