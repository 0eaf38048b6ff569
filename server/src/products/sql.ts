import type { Product, ProductInput } from '@lectern/contract/products.ts'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'

const columns = (product: ProductInput) => ({
  title: product.title,
  short: product.short,
  description: product.description,
  product_type: product.productType,
  product_image: product.productImage,
  faq: JSON.stringify(product.faq),
  documents: JSON.stringify(product.documents),
  is_discontinued: product.isDiscontinued,
  is_configurable: product.isConfigurable,
})

export const selectProducts = (db: Database) => db.selectFrom('product').selectAll().orderBy('id').execute()

export const selectProduct = (db: Database, id: number) => db.selectFrom('product').selectAll().where('id', '=', id).executeTakeFirst()

export const selectAnyProduct = (db: Database) => db.selectFrom('product').select('id').limit(1).executeTakeFirst()

export const lockProduct = (db: Database, id: number) =>
  db.selectFrom('product').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const selectKnownIds = (db: Database, ids: readonly number[]) =>
  db.selectFrom('product').select('id').where(sql<SqlBool>`id = any(${ids})`).execute()

export const insertProduct = (db: Database, product: ProductInput) =>
  db.insertInto('product').values(columns(product)).returningAll().executeTakeFirstOrThrow()

/** Products keep their ids, and existing ones their content. Later products get ids above 100. */
export async function insertNumberedProducts(
  db: Database,
  products: readonly (ProductInput & Pick<Product, 'productId'>)[],
): Promise<void> {
  await db
    .insertInto('product')
    .values(products.map((product) => ({ id: product.productId, ...columns(product) })))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  await sql`select setval(pg_get_serial_sequence('product', 'id'), greatest(100, (select max(id) from product)))`.execute(db)
}

export const updateProduct = (db: Database, id: number, product: ProductInput) =>
  db
    .updateTable('product')
    .set({ ...columns(product), updated_at: sql`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
