import { type SqlBool, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { foldCounts } from '../lib/database/fold.ts'
import { boolean, float, integer, read, text } from '../lib/database/rows.ts'

const ofTransaction = sql<SqlBool>`xmin = pg_current_xact_id()::xid`

/** Whether this transaction has stored or removed anything that counts. */
export async function hasStored(db: Database, organizationId: number): Promise<boolean> {
  const [row] = await read(
    db,
    { stored: boolean(sql`exists (select from storage_count where organization_id = ${organizationId} and ${ofTransaction})`) },
    (list) => sql`select ${list}`,
  )
  return row?.stored === true
}

/** Makes transactions that count under the same name do so one after the other. */
export const lockStorage = (db: Database, name: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`storage of ${name}`}, 0))`.execute(db)

/** `added`: by this transaction. Returns the bytes and items of all accounts, and the bytes of `account`. */
export const sumStorage = (db: Database, organizationId: number, account: string) => {
  const ofAccount = sql`account = ${account}`
  return read(
    db,
    {
      kind: text(sql`kind`),
      items: float(sql`sum(items)`),
      bytes: float(sql`sum(bytes)`),
      accountBytes: float(sql`coalesce(sum(bytes) filter (where ${ofAccount}), 0)`),
      addedItems: float(sql`coalesce(sum(items) filter (where ${ofTransaction}), 0)`),
      addedBytes: float(sql`coalesce(sum(bytes) filter (where ${ofTransaction}), 0)`),
    },
    (list) => sql`select ${list} from storage_count where organization_id = ${organizationId} group by kind`,
  )
}

/** Cases belong to an address, and to no organization. */
export async function sumCases(db: Database, address: string): Promise<{ bytes: number; items: number }> {
  const [row] = await read(
    db,
    {
      bytes: float(sql`coalesce(sum(octet_length(description) + octet_length(action_plan) + octet_length(subject) + 500), 0)`),
      items: integer(sql`count(*)`),
    },
    (list) => sql`select ${list} from support_case where lower(contact_email) = lower(${address})`,
  )
  return row!
}

/** Bytes of the firmware files that an organization has published or uploaded; each file counts once. */
export async function sumFirmware(db: Database, organizationId: number): Promise<number> {
  const [row] = await read(
    db,
    { bytes: float(sql`coalesce(sum(size), 0)`) },
    (list) => sql`
      select ${list} from (
        select content_hash, max(size) as size from (
          select content_hash, size from publication where organization_id = ${organizationId} and content = 'firmware' and zone_id is not null
          union all select content_hash, size from upload where organization_id = ${organizationId}
        ) stored group by content_hash
      ) files`,
  )
  return row!.bytes
}

export const foldStorage = (db: Database) => foldCounts(db, { table: 'storage_count', keys: ['account', 'kind'], sums: ['bytes', 'items'] })
