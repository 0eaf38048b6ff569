import { silentAfter } from '@lectern/contract/publications/silent.ts'
import { type RawBuilder, sql } from 'kysely'
import { once } from './rows.ts'

const { streamClosedSeconds, checkedInMinutes, outageMinutes } = silentAfter

// Of the first, which outages only make earlier, PostgreSQL knows before it plans how many rows it has.
function isBefore(organizationId: number, at: RawBuilder<unknown>, seconds: number) {
  const span = sql`make_interval(secs => ${sql.lit(seconds)})`
  const before = once(sql`silent_before(${organizationId}::integer, ${span}, make_interval(mins => ${sql.lit(outageMinutes)}))`)
  return sql<boolean>`(${at} < now() - ${span} and ${at} < ${before})`
}

/** SQL: whether two check-ins have been missed since an instant; null where that is null. */
export const isBeforeCheckIns = (organizationId: number, at: RawBuilder<unknown>) => isBefore(organizationId, at, 60 * checkedInMinutes)

/** SQL: whether a host, by its alias, has closed its stream for so long and not checked in since. */
export function hasClosedStream(organizationId: number, host: string) {
  const closedAt = sql.ref(`${host}.stream_closed_at`)
  const isBeforeStreams = isBefore(organizationId, closedAt, streamClosedSeconds)
  return sql<boolean>`coalesce(${isBeforeStreams} and ${closedAt} > ${sql.ref(`${host}.last_seen_at`)}, false)`
}

/** SQL: whether a host is silent; also where it has never checked in, or there is none. */
export function isHostSilent(organizationId: number, host: string) {
  const seenAt = sql.ref(`${host}.last_seen_at`)
  return sql<boolean>`(${seenAt} is null or ${isBeforeCheckIns(organizationId, seenAt)} or ${hasClosedStream(organizationId, host)})`
}

/** SQL: whether a reader is silent: its host is, or has not reported it for two check-ins. */
export function isReaderSilent(organizationId: number, reader: string, host: string) {
  const seenAt = sql`coalesce(${sql.ref(`${reader}.last_seen_at`)}, ${sql.ref(`${host}.readers_seen_at`)})`
  return sql<boolean>`(coalesce(${isBeforeCheckIns(organizationId, seenAt)}, false) or ${hasClosedStream(organizationId, host)})`
}
