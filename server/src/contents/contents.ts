import type { ContentStore, ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import { lockContent, selectUnreferenced, tryLockContentAlone } from './sql.ts'

/** Keeps a received file for good; the transaction must store what refers to it. Until it ends no sweep removes the content. */
export async function keepContent(db: Database, file: ReceivedFile): Promise<void> {
  await lockContent(db, file.hash)
  await file.keep()
}

/** Hashes that are looked up at once. */
const batch = 1_000

/**
 * Removes contents that nothing needs: left by a transaction that was rolled back, or needed by what is gone. One that is being published at
 * this moment is held by its transaction and stays. Any number of servers may sweep at once.
 */
export async function sweepContents(db: Database, contents: ContentStore): Promise<void> {
  const hashes = await contents.list()
  for (let start = 0; start < hashes.length; start += batch)
    for (const hash of await selectUnreferenced(db, hashes.slice(start, start + batch)))
      await db.transaction().execute(async (transaction) => {
        if (!(await tryLockContentAlone(transaction, hash))) return
        // Asked again: it may have come to be needed before the lock.
        const [unreferenced] = await selectUnreferenced(transaction, [hash])
        if (unreferenced) await contents.remove(unreferenced)
      })
}
