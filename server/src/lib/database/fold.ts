import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

/** A table whose rows of one key add up to its count. `keys` beside the organization; `ofAll` also folds into rows of organization 0. */
interface Ledger {
  table: 'audit_count' | 'device_count' | 'device_total' | 'firmware_count' | 'device_day' | 'device_tally' | 'licence_tally'
  keys: readonly string[]
  sums: readonly string[]
  ofAll?: boolean
}

const batch = 20_000

/**
 * Makes one row per key of the rows that writes have added, so that reads sum few. Every count stays the same throughout. Where another server
 * is folding the table, does nothing.
 */
export async function foldCounts(db: Database, ledger: Ledger): Promise<void> {
  for (let folded = batch; folded === batch; )
    folded = await db.transaction().execute(async (transaction) => {
      const lock = sql<{ free: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${`fold ${ledger.table}`}, 0)) as free`
      return (await lock.execute(transaction)).rows[0]?.free ? foldBatch(transaction, ledger) : 0
    })
}

const list = (parts: readonly RawBuilder<unknown>[], separator = ', ') => sql.join(parts, sql.raw(separator))

async function foldBatch(db: Database, { table, keys, sums, ofAll = false }: Ledger): Promise<number> {
  const name = sql.table(table)
  const keyNames = ['organization_id', ...keys]
  const columns = list([...keyNames, ...sums].map((column) => sql.ref(column)))
  const totals = list(sums.map((column) => sql`sum(${sql.ref(column)}) as ${sql.ref(column)}`))
  const ofEverybody = list([sql`0`, ...[...keys, ...sums].map((column) => sql.ref(column))])
  const byKey = list(keyNames.map((_, index) => sql.lit(index + 1)))
  const sameKey = list(
    keyNames.map((column) => sql`${sql.ref(`t.${column}`)} = ${sql.ref(`d.${column}`)}`),
    ' and ',
  )
  const { rows } = await sql<{ folded: number }>`
    with fresh as (
      delete from ${name} where ctid = any(array(select ctid from ${name} where not is_folded limit ${sql.lit(batch)})) returning ${columns}
    ), delta as (
      select ${list(keyNames.map((column) => sql.ref(column)))}, ${totals}
      from (select ${columns} from fresh ${ofAll ? sql`union all select ${ofEverybody} from fresh` : sql``}) part group by ${byKey}
    ), previous as (
      delete from ${name} t using delta d where t.is_folded and ${sameKey}
      returning ${list([...keyNames, ...sums].map((column) => sql.ref(`t.${column}`)))}
    ), added as (
      insert into ${name} (${columns}, is_folded)
      select ${list(keyNames.map((column) => sql.ref(column)))}, ${totals}, true
      from (select ${columns} from delta union all select ${columns} from previous) part group by ${byKey}
      having ${list(
        sums.map((column) => sql`sum(${sql.ref(column)}) <> 0`),
        ' or ',
      )}
    )
    select count(*)::int as folded from fresh`.execute(db)
  return rows[0]?.folded ?? 0
}
