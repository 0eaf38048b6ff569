import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'

const folder = new URL('../../../migrations/', import.meta.url)
const lock = 7_239_146_012

/**
 * Brings the database to the newest migration: numbered `.sql` files, each in a transaction of its own, forward only.
 * Replicas starting together wait for each other. Throws when a migration that ran is missing here (an older program on a newer database).
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const client = await pool.connect()
  try {
    await locked(client, () =>
      client.query('create table if not exists migration (name text primary key, migrated_at timestamptz not null default now())'),
    )
    const known = new Set(names)
    const { rows } = await client.query<{ name: string }>('select name from migration order by name')
    const strange = rows.find((row) => !known.has(row.name))
    if (strange) throw new Error(`The database has migration ${strange.name}, which this version does not know. Start a newer version.`)
    const ran: string[] = []
    for (const name of names) {
      if (await runOnce(client, name)) ran.push(name)
    }
    return ran
  } finally {
    client.release()
  }
}

/** Runs `work` in a transaction of its own, one program at a time: even "create table if not exists" fails when two do it at once. */
async function locked<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [lock])
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const runOnce = (client: pg.PoolClient, name: string): Promise<boolean> =>
  locked(client, async () => {
    const done = await client.query('select 1 from migration where name = $1', [name])
    if (done.rowCount !== 0) return false
    try {
      await client.query(await readFile(new URL(name, folder), 'utf8'))
    } catch (error) {
      throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
    }
    await client.query('insert into migration (name) values ($1)', [name])
    return true
  })
