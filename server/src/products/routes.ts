import type { Product } from '@lectern/contract/products.ts'
import type { Selectable } from 'kysely'
import { recordChange, vendorsLog } from '../audit/audit.ts'
import type { Product as ProductRow } from '../lib/database/schema.ts'
import { notFound } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { insertProduct, lockProduct, selectProduct, selectProducts, updateProduct } from './sql.ts'

export const productRoutes = {
  listProducts: async ({ db }) => (await selectProducts(db)).map(toProduct),
  getProduct: async ({ db, params }) => toFoundProduct(await selectProduct(db, params.id)),
  createProduct: async ({ db, actor, body }) => {
    const product = toProduct(await insertProduct(db, body))
    await recordChange(db, actor, { organization_id: vendorsLog, change_type: 'createProduct', target: product.title })
    return product
  },
  updateProduct: async ({ db, actor, params, body, unchanged }) => {
    await unchanged(toFoundProduct(await lockProduct(db, params.id)))
    const product = toFoundProduct(await updateProduct(db, params.id, body))
    await recordChange(db, actor, { organization_id: vendorsLog, change_type: 'updateProduct', target: product.title })
    return product
  },
} satisfies Partial<Handlers>

function toFoundProduct(row: Selectable<ProductRow> | undefined): Product {
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
