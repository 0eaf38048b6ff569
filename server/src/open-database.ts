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
 * Migrates the database and adds the product catalogue. Without DATABASE_URL it is the embedded cluster, which `release` stops and
 * `watch` starts again whenever it dies.
 */
export async function openDatabase(
  { databaseUrl, dataDir, embeddedDatabase }: Settings,
  watch?: Watch,
  reportUpgrade?: (progress: string) => void,
): Promise<OpenDatabase> {
  const options = { dataDir: join(dataDir, 'postgres'), ...(embeddedDatabase && { listen: embeddedDatabase }), ...(watch && { watch }) }
  const cluster = databaseUrl === null ? await openCluster(options) : null
  const url = databaseUrl ?? cluster!.url
  const pool = createPool(url, { max: 1 })
  try {
    await migrate(pool, reportUpgrade)
    await ensureCatalogue(createDatabase(pool))
  } catch (error) {
    await cluster?.stop()
    throw error
  } finally {
    await pool.end()
  }
  return { url, release: async () => cluster?.stop() }
}
