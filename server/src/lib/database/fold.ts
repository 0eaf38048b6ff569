import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import { boolean, integer, read } from './rows.ts'

/**
 * A table whose rows of one key add up to a count. `keys`: the key's columns beside the organization. `ofAll`: also folds into rows of
 * organization 0, for all organizations.
 */
interface Ledger {
  table:
    | 'audit_count'
    | 'audit_fold'
    | 'device_count'
    | 'device_total'
    | 'firmware_count'
    | 'firmware_total'
    | 'device_day'
    | 'device_tally'
    | 'licence_tally'
    | 'rollout_count'
    | 'storage_count'
  keys: readonly string[]
  sums: readonly string[]
  ofAll?: boolean
}

const batch = 20_000

/**
 * Folds the rows that writes have added into one per key, so that reads sum few. Counts stay the same throughout. Does nothing where
 * another server folds the table.
 */
export async function foldCounts(db: Database, ledger: Ledger): Promise<void> {
  for (let folded = batch; folded === batch; )
    folded = await db.transaction().execute(async (transaction) => {
      const free = boolean(sql`pg_try_advisory_xact_lock(hashtextextended(${`fold ${ledger.table}`}, 0))`)
      const [lock] = await read(transaction, { free }, (list) => sql`select ${list}`)
      return lock?.free ? foldBatch(transaction, ledger) : 0
    })
}

const join = (parts: readonly RawBuilder<unknown>[], separator = ', ') => sql.join(parts, sql.raw(separator))

async function foldBatch(db: Database, { table, keys, sums, ofAll = false }: Ledger): Promise<number> {
  const name = sql.table(table)
  const keyNames = ['organization_id', ...keys]
  const columns = join([...keyNames, ...sums].map((column) => sql.ref(column)))
  const totals = join(sums.map((column) => sql`sum(${sql.ref(column)}) as ${sql.ref(column)}`))
  const ofEverybody = join([sql`0`, ...[...keys, ...sums].map((column) => sql.ref(column))])
  const byKey = join(keyNames.map((_, index) => sql.lit(index + 1)))
  const sameKey = join(
    keyNames.map((column) => sql`${sql.ref(`t.${column}`)} = ${sql.ref(`d.${column}`)}`),
    ' and ',
  )
  const [row] = await read(
    db,
    { folded: integer(sql`count(*)`) },
    (list) => sql`
    with fresh as (
      delete from ${name} where ctid = any(array(select ctid from ${name} where not is_folded limit ${sql.lit(batch)})) returning ${columns}
    ), delta as (
      select ${join(keyNames.map((column) => sql.ref(column)))}, ${totals}
      from (select ${columns} from fresh ${ofAll ? sql`union all select ${ofEverybody} from fresh` : sql``}) part group by ${byKey}
    ), previous as (
      delete from ${name} t using delta d where t.is_folded and ${sameKey}
      returning ${join([...keyNames, ...sums].map((column) => sql.ref(`t.${column}`)))}
    ), added as (
      insert into ${name} (${columns}, is_folded)
      select ${join(keyNames.map((column) => sql.ref(column)))}, ${totals}, true
      from (select ${columns} from delta union all select ${columns} from previous) part group by ${byKey}
      having ${join(
        sums.map((column) => sql`sum(${sql.ref(column)}) <> 0`),
        ' or ',
      )}
    )
    select ${list} from fresh`,
  )
  return row?.folded ?? 0
}
