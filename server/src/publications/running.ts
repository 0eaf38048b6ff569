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
  if (!row) throw notFound('zone')
  const { content, content_hash, size, file_name, revision, published_at } = row
  if (content === null || content_hash === null || size === null || revision === null || published_at === null)
    throw notFound('configuration')
  const bytes = size > maxCfgLength ? null : Buffer.concat(await contents.read(content_hash).toArray())
  return {
    name: configurationLabel(file_name, content_hash),
    revision,
    publishedAt: published_at.toISOString(),
    kind: content === 'file' ? 'script' : (content as 'cfg' | 'commands'),
    text: bytes && isUtf8(bytes) ? bytes.toString('utf8') : null,
  }
}
