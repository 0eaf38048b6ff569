import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>

interface Published {
  isFirmware: Sql
  /** The release's version, in the form that is compared; null for firmware without one. */
  order: Sql
  hash: Sql
  /** A configuration's name, as `configurationLabel` makes it. */
  label: Sql
}

/**
 * SQL: whether the content that a reader reports is the published one: of firmware by its version, of a configuration by bytes and name.
 * Null where the reader reports nothing, or firmware has no version. `configuration`, `firmware`: aliases of `reported_configuration` and
 * `reported_firmware`.
 */
export const isSameContent = (reported: { configuration: string; firmware: string }, { isFirmware, order, hash, label }: Published): Sql =>
  sql`case when ${isFirmware} then ${sql.ref(`${reported.firmware}.version_order`)} = ${order}
    else ${sql.ref(`${reported.configuration}.content_hash`)} = ${hash} and ${sql.ref(`${reported.configuration}.label`)} = ${label} end`

/** SQL: whether the reported firmware `f` is newer than the published version; false where one of them is not known. */
export const runsNewer = (order: Sql): Sql =>
  sql`coalesce(split_part(f.version_sort, ' ', 1) collate "C" > version_rank(${order}) collate "C", false)`
