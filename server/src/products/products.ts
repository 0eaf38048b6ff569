import type { Database } from '../lib/database/database.ts'
import { catalogue } from './catalogue.ts'
import { insertNumberedProducts, selectAnyProduct, selectKnownIds } from './sql.ts'

export async function listUnknownProducts(db: Database, ids: readonly number[]): Promise<number[]> {
  const known = new Set((await selectKnownIds(db, ids)).map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}

/** Adds the vendor's products to an empty catalogue; any other catalogue is left alone. */
export async function ensureCatalogue(db: Database): Promise<void> {
  if (await selectAnyProduct(db)) return
  await db.transaction().execute((transaction) => insertNumberedProducts(transaction, catalogue))
}
