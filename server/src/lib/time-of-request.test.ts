import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { databaseUrls } from '../testing/database/database-url.ts'
import { serverForFile } from '../testing/server.ts'
import { streamRows } from './database/cursor.ts'
import { createDatabase, createPool, type Database } from './database/database.ts'
import { ofOrganization } from './database/organization.ts'

const server = await serverForFile()
const { organization } = await server.zone()
const { server: url } = databaseUrls(server.databaseUrl)

/** Each is far shorter than what all may take together. */
const nap = (db: Database) => sql`select pg_sleep(0.2)`.execute(db)

test.for([
  ['beside transactions', (db: Database, work: (db: Database) => Promise<unknown>) => work(db)],
  ['in a transaction', (db: Database, work: (db: Database) => Promise<unknown>) => db.transaction().execute(work)],
] as const)('[FAI-06] the statements of a request have one time together, %s', async ([, run]) => {
  const pool = createPool(url, { max: 1 })
  const db = ofOrganization(createDatabase(pool), organization.key, performance.now() + 1_000)
  const napping = run(db, async (own) => {
    for (let number = 0; number < 10; number++) await nap(own)
  })
  await expect(napping).rejects.toMatchObject({ code: '57014' })
  // The connection is whole, and the next request has a time of its own.
  await nap(ofOrganization(createDatabase(pool), organization.key, performance.now() + 60_000))
  await pool.end()
})

test('[FAI-06] a whole list that takes too much of the database is ended, with a sentence for the log', async () => {
  const pool = createPool(url, { max: 1 })
  const read = async (most: number) => {
    let count = 0
    const rows = streamRows(
      ofOrganization(createDatabase(pool), organization.key),
      sql`select pg_sleep(0.001) from generate_series(1, 3000) n`,
      most,
    )
    for await (const _ of rows) count++
    return count
  }
  await expect(read(1_000)).rejects.toThrow('A whole list was ended, as it took 1 s of the database. Its client may ask for pages instead.')
  expect(await read(600_000)).toBe(3_000)
  await pool.end()
})
