import { join } from 'node:path'
import { createDatabase, createPool } from './lib/database/database.ts'
import { migrate } from './lib/database/migrate.ts'
import type { Settings } from './lib/settings.ts'
import { openCluster } from './postgres/cluster.ts'
import type { Watch } from './postgres/watch.ts'
import { ensureCatalogue } from './products/products.ts'

export interface OpenDatabase {
  url: string
  release(): Promise<void>
}

/**
 * Without DATABASE_URL the database is the embedded cluster, which `release` stops and `watch` starts again whenever it dies.
 */
export async function reachDatabase({ databaseUrl, dataDir, embeddedDatabase }: Settings, watch?: Watch): Promise<OpenDatabase> {
  const options = { dataDir: join(dataDir, 'postgres'), ...(embeddedDatabase && { listen: embeddedDatabase }), ...(watch && { watch }) }
  const cluster = databaseUrl === null ? await openCluster(options) : null
  return { url: databaseUrl ?? cluster!.url, release: async () => cluster?.stop() }
}

/** Reaches the database, migrates it and adds the product catalogue. */
export async function openDatabase(settings: Settings, watch?: Watch, reportUpgrade?: (progress: string) => void): Promise<OpenDatabase> {
  const database = await reachDatabase(settings, watch)
  const pool = createPool(database.url, { max: 1 })
  try {
    await migrate(pool, reportUpgrade)
    await ensureCatalogue(createDatabase(pool))
  } catch (error) {
    await database.release()
    throw error
  } finally {
    await pool.end()
  }
  return database
}
