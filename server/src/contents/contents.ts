import type pg from 'pg'
import type { ContentStore, ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import { lockContent, lockSweep, selectReferenced, selectUnreferenced, tryLockContentAlone, tryLockSweep } from './sql.ts'

/** Stores a received file. The transaction must also store a reference to it; until it ends, no sweep removes the content. */
export async function storeContent(db: Database, file: ReceivedFile): Promise<void> {
  await lockContent(db, file.hash)
  await file.store()
}

// Keeps sweeps from removing the content until the transaction ends.
export const holdContent = (db: Database, hash: string) => lockContent(db, hash)

const hashesPerQuery = 1_000

/**
 * Removes contents without a reference, such as those of a rolled-back transaction, and uploads of killed servers. Only one server at a
 * time does this; another returns at once.
 */
export async function sweepContents(db: Database, contents: ContentStore): Promise<void> {
  await db.transaction().execute(async (turn) => {
    if (!(await tryLockSweep(turn))) return
    await contents.removeAbandoned()
    const hashes = await contents.list()
    for (let start = 0; start < hashes.length; start += hashesPerQuery)
      for (const hash of await selectUnreferenced(db, hashes.slice(start, start + hashesPerQuery)))
        await removeUnreferenced(db, contents, hash)
  })
}

/** Keeps all contents until the transaction ends. */
export const pauseSweeps = (db: Database) => lockSweep(db)

/** Lists the hashes that the database needs, in the client's transaction. */
export const listReferenced = (client: pg.ClientBase) => selectReferenced(client)

/** A content that a transaction stores just now is skipped: that transaction has its lock. */
async function removeUnreferenced(db: Database, contents: ContentStore, hash: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (!(await tryLockContentAlone(transaction, hash))) return
    // A reference may have been stored before the lock was taken.
    const [unreferenced] = await selectUnreferenced(transaction, [hash])
    if (unreferenced) await contents.remove(unreferenced)
  })
}
