import * as z from 'zod/mini'
import type { DeviceModel } from './devices/device-models.ts'
import { endpoint, provider } from './http/endpoint.ts'
import { Address } from './text/addresses.ts'
import { field } from './text/fields.ts'
import { Instant, Line, Text } from './text/text.ts'

export const ProductType = z.enum(['Hardware', 'Software', 'Other'])
export type ProductType = z.infer<typeof ProductType>

/** The most questions, and the most documents. */
export const mostEntries = 100

const Question = z.object({ question: field(Line(300), { label: 'Question' }), answer: field(Text(4_000), { label: 'Answer' }) })
const Document = z.object({
  title: field(Line(200), { label: 'Document title' }),
  url: field(Address(2_000), { label: 'Document address' }),
})

/** Spec §3. `productImage`: null where a drawing is shown. */
export const ProductInput = z.object({
  title: field(Line(100), { label: 'Title' }),
  short: field(Line(200), { label: 'Short description', hint: 'One line, on the card.' }),
  description: field(Text(10_000), { label: 'Description', hint: 'An empty line begins a new paragraph.' }),
  productType: field(ProductType, { label: 'Type' }),
  productImage: field(z.nullable(Address(2_000)), { label: 'Image address', hint: 'Without an image a drawing is shown.' }),
  faq: z.array(Question).check(z.maxLength(mostEntries)),
  documents: z.array(Document).check(z.maxLength(mostEntries)),
  isDiscontinued: field(z.boolean(), { label: 'Discontinued' }),
  isConfigurable: field(z.boolean(), { label: 'Configurable by barcodes' }),
})
export type ProductInput = z.infer<typeof ProductInput>

export const Product = z.extend(ProductInput, { productId: z.int(), createdOn: Instant, updatedOn: Instant })
export type Product = z.infer<typeof Product>

/** By product id: the name in the builder's paths (spec §2). */
export const configurationNames: Readonly<Record<number, string>> = {
  2: 'CR2700',
  3: 'CR950',
  5: 'CR1100',
  7: 'CR1500',
  10: 'CR5200',
  14: 'CR8200',
}

/** By product id: the model that host PCs report. */
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
    limitedRole: 'everything',
    shows: ['products'],
    summary: 'The product catalogue',
    response: z.array(Product),
  }),
  getProduct: endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    access: 'self',
    limitedRole: 'everything',
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
    maxBodyBytes: 4 * 1024 * 1024,
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
    maxBodyBytes: 4 * 1024 * 1024,
    response: Product,
    etag: ProductInput,
  }),
}
