import { constants } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { AgentManifest } from '@lectern/contract/agent-files.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { sendRange } from '../lib/http/send-range.ts'
import type { Streamed } from '../lib/http/serve.ts'

/** Null where there is no folder. Read anew each time, so that a new version needs no restart. Throws a Problem where it cannot be read. */
export async function readManifest(folder: string | null): Promise<AgentManifest | null> {
  if (folder === null) return null
  try {
    return AgentManifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
  } catch (cause) {
    throw new Problem(503, 'The packages of the app cannot be listed: their manifest.json is missing or damaged.', {
      code: 'agent-files-damaged',
      cause,
    })
  }
}

/** Only what the manifest names, and no link. */
export async function sendAgentFile(folder: string | null, name: string, headers: IncomingHttpHeaders): Promise<Streamed> {
  const named = (await readManifest(folder))?.files.find((file) => file.name === name)
  if (folder === null || !named) throw notFound('file')
  // Windows knows no such flag, and asks administrators for links.
  const file = await open(join(folder, name), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => null)
  if (!file) throw notFound('file')
  const { size } = await file.stat()
  if (size !== named.bytes) {
    await file.close()
    throw new Problem(503, `${name} is not the file that the manifest names. It may be uploading: try again in a minute.`, {
      code: 'agent-file-incomplete',
      retryAfter: 60,
    })
  }
  const sent = sendRange({ size, hash: named.sha256, read: (range) => file.createReadStream(range) }, headers, {
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'public, no-cache',
  })
  if (!sent.stream) await file.close()
  return sent
}
