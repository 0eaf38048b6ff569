import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { notifiedDatabase } from '../../testing/database/statements.ts'
import { sweepExpired } from './sweep.ts'

const { db, pool, statementsOf } = await notifiedDatabase()

test('of what has expired so much is deleted at a time, by one server', async () => {
  await sql`insert into organization (public_id, name) values ('one', 'One')`.execute(db)
  await sql`
    insert into event (organization_id, kind, created_at) select id, 'hosts', now() - interval '25 hours' from organization, generate_series(1, 10001)`.execute(
    db,
  )
  const count = async () => (await sql<{ count: number }>`select count(*)::int as count from event`.execute(db)).rows[0]?.count
  const other = await pool.connect()
  await other.query("begin; select pg_advisory_xact_lock(hashtextextended('sweep event', 0))")
  await sweepExpired(db)
  expect(await count()).toBe(10_001)
  await other.query('commit')
  other.release()
  const statements = await statementsOf(() => sweepExpired(db))
  expect(await count()).toBe(0)
  expect(statements.filter(({ sql }) => /delete from "event"/.test(sql)).length).toBe(2)
})
