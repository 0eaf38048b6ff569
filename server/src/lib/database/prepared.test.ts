import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createDatabase as createTestDatabase } from '../../testing/database/database.ts'
import { startServer } from '../../testing/server.ts'
import { createDatabase, createPool } from './database.ts'
import { prepared } from './prepared.ts'

const database = await createTestDatabase()

/** The statements that a pool's only connection has prepared after some were run twice each. */
async function listPrepared(prepares: boolean): Promise<string[]> {
  const db = createDatabase(createPool(database.url, { max: 1, prepares }))
  for (const number of [1, 2]) {
    expect((await sql<{ n: number }>`select ${number}::int as n ${prepared}`.execute(db)).rows).toEqual([{ n: number }])
    await sql`select ${number}::int as other`.execute(db)
    await db.selectFrom('organization').select('id').where('id', '=', number).modifyEnd(prepared).execute()
  }
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements order by statement`.execute(db)
  await db.destroy()
  return rows.map(({ statement }) => statement)
}

test('marked statements are prepared once for a connection, and others not', async () => {
  expect(await listPrepared(true)).toEqual([
    'select "id" from "organization" where "id" = $1 /* prepared */',
    'select $1::int as n /* prepared */',
  ])
})

test('where a pooler stands before the database, none is', async () => {
  expect(await listPrepared(false)).toEqual([])
})

test.for([
  ['a pooler that carries them', { LISTEN_URL: database.url, PREPARED_STATEMENTS: 'on' }, true],
  ['any other pooler', { LISTEN_URL: database.url }, false],
] as const)('with %s, statements of a check-in are prepared, or not', async ([, environment, isPrepared]) => {
  const server = await startServer({ environment, databaseUrl: database.url })
  onTestFinished(server.stop)
  const host = await server.host(await server.zone())
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => spy.mockRestore())
  expect((await host.checkIn([])).status).toBe(200)
  const named = (spy.mock.calls as unknown[][]).some(([sent]) => (sent as { name?: string }).name !== undefined)
  expect(named).toBe(isPrepared)
})
