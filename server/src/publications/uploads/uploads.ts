import type { Uploaded } from '@lectern/contract/publications/publish-to-zones.ts'
import { storeContent } from '../../contents/contents.ts'
import type { ReceivedFile } from '../../lib/content-store.ts'
import type { Database } from '../../lib/database/database.ts'
import { Problem } from '../../lib/http/problem.ts'
import { lockUpload, type Upload, upsertUpload } from './uploads-sql.ts'

interface Received {
  db: Database
  params: { organizationId: number }
  file: ReceivedFile
}

export async function keepUpload({ db, params, file }: Received, kind: Upload['kind'], warnings: string[] = []): Promise<Uploaded> {
  if (file.size === 0) throw new Problem(400, `The file ${file.name} is empty.`)
  await storeContent(db, file)
  const upload = { organization_id: params.organizationId, kind, content_hash: file.hash, file_name: file.name }
  await upsertUpload(db, { ...upload, size: file.size })
  return { sha256: file.hash, fileName: file.name, size: file.size, warnings }
}

/** Returns a file that the organization has uploaded within a day. Throws a Problem 409 where it has not. */
export async function getUpload(db: Database, upload: Upload): Promise<{ size: number }> {
  const found = await lockUpload(db, upload)
  if (!found) throw new Problem(409, `The file ${upload.file_name} is not here any more. Upload it again.`)
  return found
}
