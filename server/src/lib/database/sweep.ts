import { deletedDays } from '@lectern/contract/library.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import { boolean, read } from './rows.ts'

const batch = 10_000

// Works in batches, so that rows left by many writes hold no lock for long. One server at a time does this; the others return at once.
async function sweepTable(
  db: Database,
  table: 'check_in_outage' | 'event' | 'idempotency_key' | 'saved_configuration' | 'server_beat' | 'upload',
  isExpired: RawBuilder<boolean>,
): Promise<void> {
  const name = sql.table(table)
  for (let swept = batch; swept === batch; )
    swept = await db.transaction().execute(async (transaction) => {
      const free = boolean(sql`pg_try_advisory_xact_lock(hashtextextended(${`sweep ${table}`}, 0))`)
      const [lock] = await read(transaction, { free }, (list) => sql`select ${list}`)
      if (!lock?.free) return 0
      const { numAffectedRows } = await sql`
        delete from ${name} where ctid = any(array(select ctid from ${name} where ${isExpired} limit ${sql.lit(batch)}))`.execute(
        transaction,
      )
      return Number(numAffectedRows)
    })
}

export async function sweepExpired(db: Database): Promise<void> {
  const yesterday = sql`now() - interval '24 hours'`
  await sweepTable(db, 'check_in_outage', sql`ended_at < ${yesterday}`)
  await sweepTable(db, 'server_beat', sql`beat_at < ${yesterday} and is_stopped`)
  await sweepTable(db, 'event', sql`created_at < ${yesterday}`)
  await sweepTable(db, 'idempotency_key', sql`created_at < ${yesterday}`)
  await sweepTable(db, 'upload', sql`uploaded_at < ${yesterday}`)
  await sweepTable(db, 'saved_configuration', sql`deleted_at < now() - make_interval(days => ${sql.lit(deletedDays)})`)
}
