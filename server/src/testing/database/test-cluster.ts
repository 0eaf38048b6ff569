import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hashPassword } from '@lectern/idp/sign-in/passwords.ts'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { demoPassword, seedOrganizations } from '../../demo/accounts.ts'
import { seedDemo } from '../../demo/seed.ts'
import { createDatabase, createPool } from '../../lib/database/database.ts'
import { migrate } from '../../lib/database/migrate.ts'
import { secureTables } from '../../lib/database/row-security.ts'
import { type Cluster, openCluster } from '../../postgres/cluster.ts'
import { logins } from '../../postgres/logins.ts'
import { catalogue } from '../../products/catalogue.ts'
import { ensureCatalogue } from '../../products/products.ts'
import { databaseUrl } from './database-url.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's connection string. */
    clusterUrl: string
    /** The migrated database that tests copy. */
    templateDatabase: string
    /** The database with the demo's data that browser tests copy. */
    demoDatabase: string
  }
}

const security = join(import.meta.dirname, '../../lib/database/row-security.ts')
const migrations = join(import.meta.dirname, '../../../migrations')
const home = join(import.meta.dirname, '../../../../node_modules/.cache/lectern')
/** Test runs that share the cluster make the template one after the other. */
const templateLock = 1_540_267

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  mkdirSync(home, { recursive: true })
  const cluster = await openTestCluster(join(home, 'test-cluster'))
  const client = new pg.Client({ connectionString: cluster.url })
  await client.connect()
  try {
    if (!cluster.adopted) await dropLeftovers(client)
    const template = await makeTemplate(client, cluster.url)
    project.provide('templateDatabase', template)
    if (project.name === 'e2e') project.provide('demoDatabase', await makeDemo(client, cluster.url, template))
  } finally {
    await client.end()
  }
  project.provide('clusterUrl', cluster.url)
  return cluster.stop
}

/** Without fsync a crash of the machine may leave it unreadable. It has nothing to keep, so it is made again. */
async function openTestCluster(dataDir: string): Promise<Cluster> {
  const open = () => openCluster({ dataDir, durable: false })
  return open().catch((error: Error) => {
    if (!error.message.includes('checkpoint record')) throw error
    rmSync(dataDir, { recursive: true })
    return open()
  })
}

/** Drops the databases of a killed run. */
async function dropLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(`select datname from pg_database where datname like 'test\\_%'`)
  for (const { datname } of rows) await client.query(`drop database "${datname}" with (force)`)
}

async function makeTemplate(client: pg.Client, clusterUrl: string): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(catalogue)).update(readFileSync(security))
  for (const name of readdirSync(migrations).sort()) hash.update(name).update(readFileSync(join(migrations, name)))
  const template = `template_${hash.digest('hex').slice(0, 12)}`
  await client.query('select pg_advisory_lock($1)', [templateLock])
  const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
  if (rowCount === 1) return template
  const temporary = `${template}_making`
  await client.query(`drop database if exists ${temporary} with (force)`)
  await client.query(`create database ${temporary}`)
  const pool = createPool(databaseUrl(clusterUrl, temporary))
  try {
    await migrate(pool)
    await secureTables(pool, logins)
    await ensureCatalogue(createDatabase(pool))
  } finally {
    await pool.end()
  }
  await client.query(`alter database ${temporary} rename to ${template}`)
  return template
}

/** Made anew for each run, as its times are relative to now. */
async function makeDemo(client: pg.Client, clusterUrl: string, template: string): Promise<string> {
  const name = `test_demo_${randomUUID().replaceAll('-', '')}`
  await client.query(`create database ${name} template ${template}`)
  const pool = createPool(databaseUrl(clusterUrl, name))
  try {
    await seedOrganizations(createDatabase(pool))
    await seedDemo(createDatabase(pool))
    // Cheaper hashes, as browser tests sign in hundreds of times.
    await pool.query('update idp_account set password_hash = $1', [await hashPassword(demoPassword, { N: 1_024, r: 8, p: 1 })])
  } finally {
    await pool.end()
  }
  return name
}
