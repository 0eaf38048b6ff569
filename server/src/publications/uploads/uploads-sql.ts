import { sql } from 'kysely'
import type { Database } from '../../lib/database/database.ts'
import { bigint, instant, read } from '../../lib/database/rows.ts'

export interface Upload {
  organization_id: number
  kind: 'script' | 'firmware-file'
  content_hash: string
  file_name: string
}

export const upsertUpload = (db: Database, upload: Upload & { size: number }) =>
  db
    .insertInto('upload')
    .values(upload)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'kind', 'content_hash', 'file_name']).doUpdateSet({ uploaded_at: instant(sql`now()`) }),
    )
    .execute()

/** Returns an upload, and keeps sweeps from removing it until the transaction ends; undefined where there is none. */
export async function lockUpload(db: Database, { organization_id, kind, content_hash, file_name }: Upload) {
  const [row] = await read(
    db,
    { size: bigint(sql`size`) },
    (list) => sql`
      select ${list} from upload where organization_id = ${organization_id} and kind = ${kind} and content_hash = ${content_hash} and file_name = ${file_name}
      for share`,
  )
  return row
}
