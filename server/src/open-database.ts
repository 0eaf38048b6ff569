import { join } from 'node:path'
import type pg from 'pg'
import { createDatabase, createPool } from './lib/database/database.ts'
import { migrate, refuseOldTables, withoutWorkers } from './lib/database/migrate.ts'
import { checkLogin, findLogin, secureTables } from './lib/database/row-security.ts'
import type { DatabaseUrls, Settings } from './lib/settings.ts'
import { openCluster } from './postgres/cluster.ts'
import type { Watch } from './postgres/watch.ts'
import { ensureCatalogue } from './products/products.ts'

export interface OpenDatabase {
  urls: DatabaseUrls
  release(): Promise<void>
}

/**
 * Without DATABASE_URL the database is the embedded cluster, which `release` stops and `watch` starts again whenever it dies.
 */
export async function reachDatabase({ databaseUrls, dataDir, embeddedDatabase }: Settings, watch?: Watch): Promise<OpenDatabase> {
  const options = { dataDir: join(dataDir, 'postgres'), ...(embeddedDatabase && { listen: embeddedDatabase }), ...(watch && { watch }) }
  const cluster = databaseUrls === null ? await openCluster(options) : null
  return { urls: databaseUrls ?? cluster!.urls, release: async () => cluster?.stop() }
}

/** Reaches the database, migrates it where there is an owner's connection, and adds the product catalogue. */
export async function openDatabase(settings: Settings, watch?: Watch, reportUpgrade?: (progress: string) => void): Promise<OpenDatabase> {
  const database = await reachDatabase(settings, watch)
  const { server, crossing, identity, owner } = database.urls
  const open = (url: string) => createPool(url, { max: 1 })
  const pools = { server: open(server), crossing: open(crossing), identity: open(identity), owner: owner === null ? null : open(owner) }
  try {
    await prepareTables(pools, reportUpgrade)
    await ensureCatalogue(createDatabase(pools.server))
  } catch (error) {
    await database.release()
    throw error
  } finally {
    await Promise.all([pools.server.end(), pools.crossing.end(), pools.identity.end(), pools.owner?.end()])
  }
  return database
}

interface Pools {
  server: pg.Pool
  crossing: pg.Pool
  identity: pg.Pool
  owner: pg.Pool | null
}

async function prepareTables({ server, crossing, identity, owner }: Pools, reportUpgrade?: (progress: string) => void): Promise<void> {
  if (owner) {
    await migrate(owner, reportUpgrade)
    const logins = { server: await findLogin(server), crossing: await findLogin(crossing), identity: await findLogin(identity) }
    await secureTables(owner, logins)
  } else await refuseOldTables(server)
  await checkLogin(server, 'DATABASE_URL')
  await checkLogin(crossing, 'CROSSING_DATABASE_URL')
  await checkLogin(identity, 'IDENTITY_DATABASE_URL')
  for (const pool of [server, crossing, identity]) await pool.query(withoutWorkers)
}
