import { constants } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { AgentManifest, findAgentFile } from '@lectern/contract/agent-files.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { sendRange } from '../lib/http/send-range.ts'
import type { Streamed } from '../lib/http/serve.ts'

// Each piece of a file asks for it.
let kept: { folder: string; changed: number; manifest: AgentManifest } | null = null
const mostManifestBytes = 64 * 1_024

/** Null where there is no folder. A new version needs no restart. Throws a Problem where it cannot be read. */
export async function readManifest(folder: string | null): Promise<AgentManifest | null> {
  if (folder === null) return null
  const path = join(folder, 'manifest.json')
  try {
    const { mtimeMs: changed, size } = await stat(path)
    if (kept?.folder === folder && kept.changed === changed) return kept.manifest
    if (size > mostManifestBytes) throw new Error(`${path} has ${size} bytes`)
    const manifest = AgentManifest.parse(JSON.parse(await readFile(path, 'utf8')))
    kept = { folder, changed, manifest }
    return manifest
  } catch (cause) {
    const message = 'The packages of the app cannot be listed: their manifest.json is missing or damaged.'
    throw new Problem(503, message, { code: 'agent-files-damaged', cause })
  }
}

/** Only what the manifest names, and no link. */
export async function sendAgentFile(folder: string | null, asked: string, headers: IncomingHttpHeaders): Promise<Streamed> {
  const manifest = await readManifest(folder)
  const named = manifest && findAgentFile(manifest, asked)
  if (folder === null || !named) throw notFound('file')
  // Windows knows no such flag, and asks administrators for links.
  const file = await open(join(folder, named.name), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => null)
  if (!file) throw notFound('file')
  const { size } = await file.stat()
  if (size !== named.bytes) {
    await file.close()
    const message = `${named.name} is not the file that the manifest names. It may be uploading: try again in a minute.`
    throw new Problem(503, message, { code: 'agent-file-incomplete', retryAfter: 60 })
  }
  const sent = sendRange({ size, hash: named.sha256, read: (range) => file.createReadStream(range) }, headers, {
    'content-disposition': `attachment; filename="${asked}"`,
    'cache-control': 'public, no-cache',
  })
  if (!sent.stream) await file.close()
  return sent
}
