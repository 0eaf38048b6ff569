import { isUtf8 } from 'node:buffer'
import { maxCfgLength } from '@lectern/contract/publications/cfg.ts'
import { configurationLabel, type RunningConfiguration } from '@lectern/contract/publications/publications.ts'
import type { ContentStore } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import { notFound } from '../lib/http/problem.ts'
import { selectRunning } from './sql.ts'

/** Throws a Problem 404 where nothing is published. */
export async function getRunning(
  db: Database,
  params: ZoneScope & { location: string; device: string },
  contents: ContentStore,
): Promise<RunningConfiguration> {
  const row = await selectRunning(db, params, params.location, params.device)
  if (!row) throw notFound('configuration')
  const bytes = row.size > maxCfgLength ? null : Buffer.concat(await contents.read(row.content_hash).toArray())
  return {
    name: configurationLabel(row.file_name, row.content_hash),
    revision: row.revision,
    publishedAt: row.published_at.toISOString(),
    kind: row.content === 'file' ? 'script' : (row.content as 'cfg' | 'commands'),
    text: bytes && isUtf8(bytes) ? bytes.toString('utf8') : null,
  }
}
