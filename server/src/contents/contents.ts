import type { ContentStore, ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import { lockContent, selectUnreferenced, tryLockContentAlone } from './sql.ts'

/** Stores a received file. The transaction must also store a reference to it; until it ends, no sweep removes the content. */
export async function storeContent(db: Database, file: ReceivedFile): Promise<void> {
  await lockContent(db, file.hash)
  await file.store()
}

const hashesPerQuery = 1_000

/**
 * Removes contents without a reference, such as those of a rolled-back transaction. A transaction that stores one holds its lock.
 * Several servers may sweep at once.
 */
export async function sweepContents(db: Database, contents: ContentStore): Promise<void> {
  const hashes = await contents.list()
  for (let start = 0; start < hashes.length; start += hashesPerQuery)
    for (const hash of await selectUnreferenced(db, hashes.slice(start, start + hashesPerQuery)))
      await db.transaction().execute(async (transaction) => {
        if (!(await tryLockContentAlone(transaction, hash))) return
        // A reference may have come before the lock.
        const [unreferenced] = await selectUnreferenced(transaction, [hash])
        if (unreferenced) await contents.remove(unreferenced)
      })
}
