import { sql } from 'kysely'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { notifiedDatabase } from '../../testing/database/statements.ts'
import { until } from '../../testing/until.ts'
import { streamRows } from '../database/cursor.ts'
import { createPool } from '../database/database.ts'
import { createCsvFile } from './csv-sql.ts'

const { db, pool } = await notifiedDatabase()
afterEach(() => vi.restoreAllMocks())

const passHalfAnHour = () => {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 31 * 60_000)
}
const readAll = async (items: AsyncIterator<unknown>) => {
  while (!(await items.next()).done);
}
const countOpen = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`.execute(db)
  return rows[0]?.count
}

test('who reads a list a little at a time keeps no transaction open for more than half an hour', async () => {
  const rows = streamRows(db, sql<{ n: number }>`select n from generate_series(1, 1200) n`)
  expect((await rows.next()).value).toEqual({ n: 1 })
  expect(await countOpen()).toBe(1)
  passHalfAnHour()
  await expect(readAll(rows)).rejects.toThrow('The reader of a list or file is too slow.')
  expect(await countOpen()).toBe(0)
})

test('nor who reads a file', async () => {
  const exportPool = createPool(String(pool.options.connectionString), { copies: true })
  onTestFinished(() => exportPool.end())
  const query = sql`select n::text, repeat('x', 1000) as filling from generate_series(1, 200000) n`.compile(db)
  const { stream } = await createCsvFile(
    { pool: exportPool, organizationId: null },
    { fileName: 'all.csv', cells: { N: sql`n`, Filling: sql`filling` }, instants: [], query },
  )
  const chunks = stream![Symbol.asyncIterator]()
  await chunks.next()
  expect(await countOpen()).toBe(1)
  passHalfAnHour()
  await expect(readAll(chunks)).rejects.toThrow('The reader of a list or file is too slow.')
  await until(async () => (await countOpen()) === 0)
})
