import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'

const folder = new URL('../../../migrations/', import.meta.url)
const lock = 7_239_146_012

// A setting of the role, as a pooler keeps no settings of a session. Parallel workers take longer to start than a page takes (SCL-01).
export const withoutWorkers = `
  do $$ begin
    if current_setting('max_parallel_workers_per_gather') <> '0' then
      execute format('alter role %I in database %I set max_parallel_workers_per_gather = 0', current_user, current_database());
    end if;
  end $$`

/** A comment in a migration that begins a step which may take minutes. */
const stepMark = /^-- step: (.+)\n/m

/**
 * Runs the `.sql` files that have not run, in order, each in a transaction of its own: a migration that is killed leaves the database as it
 * was and runs again at the next start. Servers that start together wait for each other. Returns the names. Throws where the database has a
 * migration that this version lacks.
 * @param report is called before each migration of a database that has some already, before each of its steps, and with each of its
 * warnings
 */
export async function migrate(pool: pg.Pool, report: (progress: string) => void = () => {}): Promise<string[]> {
  const names = await listFiles()
  const client = await pool.connect()
  try {
    await runLocked(client, () => client.query(migrationTable))
    const { rows } = await client.query<{ name: string }>('select name from migration order by name')
    const unknown = rows.find((row) => !names.includes(row.name))
    if (unknown) throw new Error(`The database has migration ${unknown.name}, which this version does not know. Start a newer version.`)
    const ran: string[] = []
    const reportUpgrade = rows.length > 0 ? report : () => {}
    // Migrations report by warnings; notices are PostgreSQL's own.
    const reportWarning = ({ severity, message = '' }: { severity?: string | undefined; message?: string | undefined }) =>
      severity === 'WARNING' ? reportUpgrade(message) : undefined
    client.on('notice', reportWarning)
    try {
      for (const name of names) if (await runOnce(client, name, reportUpgrade)) ran.push(name)
    } finally {
      client.off('notice', reportWarning)
    }
    await runLocked(client, () => client.query(withoutWorkers))
    return ran
  } finally {
    client.release()
  }
}

/**
 * Makes the tables as these migrations leave them, in the caller's transaction. The table `migration` stays empty.
 * @throws Error with a sentence where this version lacks one of them
 */
export async function makeTables(client: pg.ClientBase, migrations: readonly string[]): Promise<void> {
  const names = await listFiles()
  const unknown = migrations.find((name) => !names.includes(name))
  if (unknown) throw new Error(`The archive has migration ${unknown}, which this version does not know. Restore it with a newer version.`)
  await client.query(migrationTable)
  for (const name of [...migrations].sort()) await client.query(await readFile(new URL(name, folder), 'utf8'))
}

/** For a server that does not migrate: throws an Error with a sentence where the database is not as this version needs it. */
export async function refuseOldTables(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>('select name from migration').catch(() => ({ rows: [] }))
  const missing = (await listFiles()).filter((file) => !rows.some(({ name }) => name === file))
  if (missing.length > 0)
    throw new Error(`The database lacks ${missing.length} migrations. Set MIGRATION_DATABASE_URL to its owner and start one server once.`)
}

/** Keeps servers from starting until the end of the transaction. */
export const lockMigrations = (client: pg.ClientBase) => client.query('select pg_advisory_xact_lock($1)', [lock])

const migrationTable = 'create table if not exists migration (name text primary key, migrated_at timestamptz not null default now())'

const listFiles = async () => (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()

// Runs at one server at a time: even "create table if not exists" fails when two run it at once.
async function runLocked<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    await lockMigrations(client)
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const runOnce = (client: pg.PoolClient, name: string, report: (progress: string) => void): Promise<boolean> =>
  runLocked(client, async () => {
    const done = await client.query('select 1 from migration where name = $1', [name])
    if (done.rowCount !== 0) return false
    try {
      await runSteps(client, await readFile(new URL(name, folder), 'utf8'), (step) =>
        report(`Migration ${name.replace('.sql', '')}${step}`),
      )
    } catch (error) {
      throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
    }
    await client.query('insert into migration (name) values ($1)', [name])
    return true
  })

async function runSteps(client: pg.PoolClient, text: string, report: (step: string) => void): Promise<void> {
  const [first = '', ...rest] = text.split(stepMark)
  const steps = rest.length / 2
  report('')
  await client.query(first)
  for (let step = 1; step <= steps; step++) {
    report(`, step ${step} of ${steps}: ${rest[2 * step - 2]}`)
    await client.query(rest[2 * step - 1]!)
  }
}
