import { join } from 'node:path'
import { createDatabase, createPool } from './lib/database/database.ts'
import { migrate } from './lib/database/migrate.ts'
import type { Settings } from './lib/settings.ts'
import { openCluster } from './postgres/cluster.ts'
import { ensureCatalogue } from './products/products.ts'

/** Migrates the database and adds the product catalogue. Without DATABASE_URL it is the embedded cluster, which `release` stops. */
export async function openDatabase({ databaseUrl, dataDir }: Settings): Promise<{ url: string; release(): Promise<void> }> {
  const cluster = databaseUrl === null ? await openCluster({ dataDir: join(dataDir, 'postgres') }) : null
  const url = databaseUrl ?? cluster!.url
  const pool = createPool(url, 1)
  try {
    await migrate(pool)
    await ensureCatalogue(createDatabase(pool))
  } catch (error) {
    await cluster?.stop()
    throw error
  } finally {
    await pool.end()
  }
  return { url, release: async () => cluster?.stop() }
}
