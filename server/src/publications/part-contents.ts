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
import type { Content, ModelContent } from './open-publications-sql.ts'
import { getUpload } from './uploads/uploads.ts'

interface Storage {
  db: Database
  contents: ContentStore
  organizationId: number
}

interface StoredBytes {
  hash: string
  size: number
}

/** `fileName`: null where a configuration has no name. */
export const toConfiguration = (content: ConfigurationForm, { hash, size }: StoredBytes, fileName: string | null): Content => ({
  content,
  hash,
  size,
  fileName,
  version: null,
  versionOrder: null,
  label: configurationLabel(fileName, hash),
})

/** A customer's own firmware file, which has no version. */
export const toFirmwareFile = (file: StoredBytes, fileName: string): Content => ({
  ...toConfiguration('file', file, fileName),
  content: 'firmware',
})

export const toRelease = ({ version, file_name, content_hash, size }: Awaited<ReturnType<typeof findRelease>>): Content => ({
  content: 'firmware',
  hash: content_hash,
  size,
  fileName: file_name,
  version,
  versionOrder: versionOrder(version),
  label: version,
})

async function keepText({ db, contents }: Storage, content: ConfigurationForm, bytes: Buffer, name: string | null): Promise<Content> {
  const file = await contents.receive(Readable.from([bytes]), 'text', maxCfgLength * 4)
  try {
    await storeContent(db, file)
    return toConfiguration(content, file, name)
  } finally {
    await file.discard()
  }
}

/** Returns a version of the library, with its bytes. Throws a Problem 409 where it was deleted since it was chosen. */
export async function findSaved(
  db: Database,
  organizationId: number,
  choice: { configurationId: string; version: number },
  model: UpdateModel,
) {
  const { kind, ...version } = await getPublishable(db, organizationId, choice, model)
  return { ...version, kind: kind === 'script' ? ('file' as const) : kind }
}

type UploadedContent = Extract<PartContent, { sha256: string }>

async function findUploaded({ db, organizationId }: Storage, { kind, sha256, fileName }: UploadedContent): Promise<StoredBytes> {
  await holdContent(db, sha256)
  const { size } = await getUpload(db, { organization_id: organizationId, kind, content_hash: sha256, file_name: fileName })
  return { hash: sha256, size }
}

async function resolveContent(storage: Storage, model: UpdateModel, content: PartContent): Promise<Content> {
  if (content.kind === 'cfg') return keepText(storage, 'cfg', Buffer.from(content.text, 'utf8'), content.fileName ?? null)
  if (content.kind === 'saved') {
    const { kind, bytes, name } = await findSaved(storage.db, storage.organizationId, content, model)
    return keepText(storage, kind, bytes, name)
  }
  if (content.kind === 'script') return toConfiguration('file', await findUploaded(storage, content), content.fileName)
  if (content.kind === 'firmware-file') {
    const file = await findUploaded(storage, content)
    const message = firmwareFileProblem(model, { name: content.fileName, size: file.size })
    if (message) throw new Problem(400, `${model}: ${message}`)
    return toFirmwareFile(file, content.fileName)
  }
  return toRelease(await findRelease(storage.db, model, content.version))
}

/**
 * Returns the contents of the parts. Their bytes are stored, and stay until the transaction ends. Throws a Problem 4xx that names the part.
 */
export async function resolveContents(storage: Storage, parts: readonly PartInput[]): Promise<ModelContent[]> {
  const resolved: ModelContent[] = []
  for (const { model, content } of parts) resolved.push({ model, ...(await resolveContent(storage, model, content)) })
  return resolved
}

export const listPartPermissions = (parts: readonly PartInput[]) =>
  [...new Set(parts.map(({ content }) => (isFirmwarePart(content) ? 'manage:firmware' : 'manage:cfg')))] as const
