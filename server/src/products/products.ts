import type { Database } from '../lib/database/database.ts'
import { catalogue } from './catalogue.ts'
import { insertNumberedProducts, selectKnownIds, selectProducts } from './sql.ts'

/** The ids among these that no product has. */
export async function unknownProducts(db: Database, ids: readonly number[]): Promise<number[]> {
  const known = new Set((await selectKnownIds(db, ids)).map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}

/** Fills an empty catalogue with the vendor's products. One that has any is the staff's own and stays as it is. */
export async function ensureCatalogue(db: Database): Promise<void> {
  if (await selectProducts(db).limit(1).executeTakeFirst()) return
  await db.transaction().execute((transaction) => insertNumberedProducts(transaction, catalogue))
}
