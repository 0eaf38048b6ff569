import * as z from 'zod/mini'
import type { DeviceModel } from './devices/device-models.ts'
import { endpoint, provider } from './http/endpoint.ts'
import { Address } from './text/addresses.ts'
import { Instant, Line, Text } from './text/text.ts'

export const ProductType = z.enum(['Hardware', 'Software', 'Other'])
export type ProductType = z.infer<typeof ProductType>

/** What staff say of a product (spec §3). `short` is one line; `description` has paragraphs, parted by an empty line. */
export const ProductInput = z.object({
  title: Line(100),
  short: Line(200),
  description: Text(10_000),
  productType: ProductType,
  /** Null: a drawing stands in its place. */
  productImage: z.nullable(Address(2_000)),
  faq: z.array(z.object({ question: Line(300), answer: Text(4_000) })).check(z.maxLength(100)),
  documents: z.array(z.object({ title: Line(200), url: Address(2_000) })).check(z.maxLength(100)),
  isDiscontinued: z.boolean(),
  isConfigurable: z.boolean(),
})
export type ProductInput = z.infer<typeof ProductInput>

export const Product = z.extend(ProductInput, { productId: z.int(), createdOn: Instant, updatedOn: Instant })
export type Product = z.infer<typeof Product>

/** Product ids whose readers take configuration barcodes, with the name the builder's routes use (spec §2). */
export const configurationNames: Readonly<Record<number, string>> = {
  2: 'CR2700',
  3: 'CR950',
  5: 'CR1100',
  7: 'CR1500',
  10: 'CR5200',
  14: 'CR8200',
}

/** Product ids that are reader models, with the model as host PCs report it. */
export const readerModels: Readonly<Record<number, DeviceModel>> = {
  1: 'V1300',
  2: 'CR2700',
  3: 'CR950',
  4: 'A271/2',
  5: 'CR1100',
  6: 'V4500',
  7: 'CR1500',
  8: '1500DPM',
  10: 'CR5200',
  14: 'CR8200',
}

const base = '/api/lectern/product'
const params = z.object({ id: z.coerce.number().check(z.int('must be a product id'), z.minimum(1), z.maximum(2_147_483_647)) })
const staff = provider('global:access:organizations')

export const productEndpoints = {
  listProducts: endpoint({
    method: 'GET',
    path: base,
    access: 'self',
    shows: ['products'],
    summary: 'The product catalogue',
    response: z.array(Product),
  }),
  getProduct: endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    access: 'self',
    shows: ['products'],
    summary: 'A product',
    params,
    response: Product,
    etag: ProductInput,
  }),
  createProduct: endpoint({
    method: 'POST',
    path: base,
    access: staff,
    changes: ['products'],
    audit: 'createProduct',
    summary: 'Add a product to the catalogue',
    body: ProductInput,
    response: Product,
  }),
  updateProduct: endpoint({
    method: 'PUT',
    path: `${base}/{id}`,
    access: staff,
    changes: ['products'],
    audit: 'updateProduct',
    summary: 'Change a product of the catalogue',
    params,
    body: ProductInput,
    response: Product,
    etag: ProductInput,
  }),
}
