import type pg from 'pg'
import type { ContentStore, ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import { lockContent, lockSweep, selectReferenced, selectUnreferenced, tryLockContentAlone, tryLockSweep } from './sql.ts'

/** Stores a received file. The transaction must also store a reference to it; until it ends, no sweep removes the content. */
export async function storeContent(db: Database, file: ReceivedFile): Promise<void> {
  await lockContent(db, file.hash)
  await file.store()
}

// Until the transaction ends, no sweep removes it.
export const holdContent = (db: Database, hash: string) => lockContent(db, hash)

const hashesPerQuery = 1_000

/** Removes contents without a reference, such as those of a rolled-back transaction, and uploads of killed servers. One server at a time does it; the others do nothing. */
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

/** Until the transaction ends no content is removed. */
export const pauseSweeps = (db: Database) => lockSweep(db)

/** The hashes that the database needs, in the client's transaction. */
export const listReferenced = (client: pg.ClientBase) => selectReferenced(client)

/** A transaction that stores the content holds its lock. */
async function removeUnreferenced(db: Database, contents: ContentStore, hash: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (!(await tryLockContentAlone(transaction, hash))) return
    // A reference may have come before the lock.
    const [unreferenced] = await selectUnreferenced(transaction, [hash])
    if (unreferenced) await contents.remove(unreferenced)
  })
}
