import type { Product, ProductType } from '@lectern/contract/products.ts'

export const productTypes: readonly ProductType[] = ['Hardware', 'Software', 'Other']

/** Sorts discontinued products last. */
export function listByType(products: readonly Product[], type: ProductType): Product[] {
  return products.filter(({ productType }) => productType === type).sort((one, other) => +one.isDiscontinued - +other.isDiscontinued)
}
