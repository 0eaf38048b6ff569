import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashPassword } from '@lectern/idp/sign-in/passwords.ts'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { demoPassword, seedOrganizations } from '../../demo/accounts.ts'
import { seedDemo } from '../../demo/seed.ts'
import { createDatabase, createPool } from '../../lib/database/database.ts'
import { migrate } from '../../lib/database/migrate.ts'
import { openCluster } from '../../postgres/cluster.ts'
import { catalogue } from '../../products/catalogue.ts'
import { ensureCatalogue } from '../../products/products.ts'
import { databaseUrl } from './database-url.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the test cluster, as its superuser. */
    clusterUrl: string
    /** Name of the migrated database to copy. */
    templateDatabase: string
    /** Name of the database to copy that has what every demo has; for browser tests. */
    demoDatabase: string
  }
}

const migrations = join(import.meta.dirname, '../../../migrations')
const home = join(import.meta.dirname, '../../../../node_modules/.cache/lectern')
/** Held while a template is made, as several test runs may share the cluster. */
const TEMPLATE_LOCK = 1_540_267

/** Opens one cluster for all tests of a run and makes the database that each test file gets a copy of. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  mkdirSync(home, { recursive: true })
  const cluster = await openCluster({ dataDir: join(home, 'test-cluster'), durable: false })
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

/** Databases of a run that was killed: nobody else has the cluster open. */
async function dropLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(`select datname from pg_database where datname like 'test\\_%'`)
  for (const { datname } of rows) await client.query(`drop database "${datname}" with (force)`)
}

async function makeTemplate(client: pg.Client, clusterUrl: string): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(catalogue))
  for (const name of readdirSync(migrations).sort()) hash.update(name).update(readFileSync(join(migrations, name)))
  const template = `template_${hash.digest('hex').slice(0, 12)}`
  await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
  const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
  if (rowCount === 1) return template
  const making = `${template}_making`
  await client.query(`drop database if exists ${making} with (force)`)
  await client.query(`create database ${making}`)
  const pool = createPool(databaseUrl(clusterUrl, making))
  try {
    await migrate(pool)
    await ensureCatalogue(createDatabase(pool))
  } finally {
    await pool.end()
  }
  await client.query(`alter database ${making} rename to ${template}`)
  return template
}

/** Made anew for each run: readers were seen so long ago. */
async function makeDemo(client: pg.Client, clusterUrl: string, template: string): Promise<string> {
  const name = `test_demo_${randomUUID().replaceAll('-', '')}`
  await client.query(`create database ${name} template ${template}`)
  const pool = createPool(databaseUrl(clusterUrl, name))
  try {
    await seedOrganizations(createDatabase(pool))
    await seedDemo(createDatabase(pool))
    // A sign-in takes a fifth of a second of a core, on purpose; browser tests sign in hundreds of times.
    await pool.query('update idp_account set password_hash = $1', [await hashPassword(demoPassword, { N: 1_024, r: 8, p: 1 })])
  } finally {
    await pool.end()
  }
  return name
}
