import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPool } from './lib/database/database.ts'
import { migrate } from './lib/database/migrate.ts'
import { generateSchema } from './lib/database/row-types.ts'
import { openCluster } from './postgres/cluster.ts'

// `npm run database-types` migrates a temporary database and writes lib/database/schema.ts.
const folder = await mkdtemp(join(tmpdir(), 'lectern-types-'))
const cluster = await openCluster({ dataDir: join(folder, 'postgres'), durable: false })
try {
  const pool = createPool(cluster.url, { max: 1 })
  await migrate(pool)
  await pool.end()
  generateSchema(cluster.url)
} finally {
  await cluster.stop()
  await rm(folder, { recursive: true, force: true })
}
