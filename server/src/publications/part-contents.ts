import { Readable } from 'node:stream'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { firmwareFileProblem } from '@lectern/contract/firmware/firmware.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { maxCfgLength } from '@lectern/contract/publications/cfg.ts'
import type { ConfigurationForm } from '@lectern/contract/publications/content-kind.ts'
import { configurationLabel } from '@lectern/contract/publications/publications.ts'
import { isFirmwarePart, type PartContent, type PartInput } from '@lectern/contract/publications/publish-to-zones.ts'
import { holdContent, storeContent } from '../contents/contents.ts'
import { findRelease } from '../firmware/firmware.ts'
import type { ContentStore } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import { Problem } from '../lib/http/problem.ts'
import { getPublishable } from '../library/library.ts'
import type { ModelContent } from './open-publications-sql.ts'
import { getUpload } from './uploads/uploads.ts'

interface Storage {
  db: Database
  contents: ContentStore
  organizationId: number
}

const configuration = (content: ConfigurationForm, hash: string, size: number, fileName: string | null): Omit<ModelContent, 'model'> => ({
  content,
  hash,
  size,
  fileName,
  version: null,
  versionOrder: null,
  label: configurationLabel(fileName, hash),
})

async function keepText({ db, contents }: Storage, kind: ConfigurationForm, bytes: Buffer, name: string | null) {
  const file = await contents.receive(Readable.from([bytes]), 'text', maxCfgLength * 4)
  try {
    await storeContent(db, file)
    return configuration(kind, file.hash, file.size, name)
  } finally {
    await file.discard()
  }
}

/** Throws a Problem 409 for a version that was deleted since it was chosen. */
export async function findSaved(
  db: Database,
  organizationId: number,
  choice: { configurationId: string; version: number },
  model: UpdateModel,
) {
  const { kind, ...version } = await getPublishable(db, organizationId, choice, model)
  return { ...version, kind: kind === 'script' ? ('file' as const) : kind }
}

async function findUploaded({ db, organizationId }: Storage, { kind, sha256, fileName }: Extract<PartContent, { sha256: string }>) {
  await holdContent(db, sha256)
  const { size } = await getUpload(db, { organization_id: organizationId, kind, content_hash: sha256, file_name: fileName })
  return configuration('file', sha256, size, fileName)
}

/** Stores the bytes of each part; they stay until the transaction ends. Throws a Problem 4xx that names the part. */
async function resolveContent(storage: Storage, model: UpdateModel, content: PartContent): Promise<Omit<ModelContent, 'model'>> {
  if (content.kind === 'cfg') return keepText(storage, 'cfg', Buffer.from(content.text, 'utf8'), content.fileName ?? null)
  if (content.kind === 'saved') {
    const { kind, bytes, name } = await findSaved(storage.db, storage.organizationId, content, model)
    return keepText(storage, kind, bytes, name)
  }
  if (content.kind === 'script') return findUploaded(storage, content)
  if (content.kind === 'firmware-file') {
    const file = await findUploaded(storage, content)
    const message = firmwareFileProblem(model, { name: content.fileName, size: file.size })
    if (message) throw new Problem(400, `${model}: ${message}`)
    return { ...file, content: 'firmware', label: content.fileName }
  }
  const { version, file_name, content_hash, size } = await findRelease(storage.db, model, content.version)
  return {
    content: 'firmware',
    hash: content_hash,
    size,
    fileName: file_name,
    version,
    versionOrder: versionOrder(version),
    label: version,
  }
}

export async function resolveContents(storage: Storage, parts: readonly PartInput[]): Promise<ModelContent[]> {
  const resolved: ModelContent[] = []
  for (const { model, content } of parts) resolved.push({ model, ...(await resolveContent(storage, model, content)) })
  return resolved
}

export const listPartPermissions = (parts: readonly PartInput[]) =>
  [...new Set(parts.map(({ content }) => (isFirmwarePart(content) ? 'manage:firmware' : 'manage:cfg')))] as const
