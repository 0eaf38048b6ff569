import type { Product } from '@lectern/contract/products.ts'

/** The vendor's products as they come with the portal; staff change them in the catalogue. Ids are the specification's (spec §2). */
export const catalogue: readonly Omit<Product, 'createdOn' | 'updatedOn'>[] = [
  {
    productId: 2,
    title: 'CR2700',
    short: 'Cordless palm reader with charging cradle',
    description: '',
    productType: 'Hardware',
    productImage: null,
    faq: [],
    documents: [],
    isDiscontinued: false,
    isConfigurable: true,
  },
]
