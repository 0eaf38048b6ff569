import type { Product } from '@lectern/contract/products.ts'
import type { Selectable } from 'kysely'
import { recordChange } from '../audit/audit.ts'
import type { Product as ProductRow } from '../lib/database/schema.ts'
import { notFound } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { insertProduct, lockProduct, selectProducts, updateProduct } from './sql.ts'

export const productRoutes = {
  listProducts: async ({ db }) => (await selectProducts(db).execute()).map(toProduct),
  getProduct: async ({ db, params }) => found(await selectProducts(db).where('id', '=', params.id).executeTakeFirst()),
  createProduct: async ({ db, caller, origin, body }) => {
    const product = toProduct(await insertProduct(db, body))
    await recordChange(db, { caller, origin }, { organization_id: null, change_type: 'createProduct', target: product.title })
    return product
  },
  updateProduct: async ({ db, caller, origin, params, body, unchanged }) => {
    await unchanged(found(await lockProduct(db, params.id)))
    const product = found(await updateProduct(db, params.id, body))
    await recordChange(db, { caller, origin }, { organization_id: null, change_type: 'updateProduct', target: product.title })
    return product
  },
} satisfies Partial<Handlers>

function found(row: Selectable<ProductRow> | undefined): Product {
  if (!row) throw notFound('product')
  return toProduct(row)
}

const toProduct = (row: Selectable<ProductRow>): Product => ({
  productId: row.id,
  title: row.title,
  short: row.short,
  description: row.description,
  productType: row.product_type as Product['productType'],
  productImage: row.product_image,
  faq: row.faq as Product['faq'],
  documents: row.documents as Product['documents'],
  isDiscontinued: row.is_discontinued,
  isConfigurable: row.is_configurable,
  createdOn: row.created_at.toISOString(),
  updatedOn: row.updated_at.toISOString(),
})
