import type { Product, ProductType } from '@lectern/contract/products.ts'

/** The types of products in the order in which they stand on a page. */
export const productTypes: readonly ProductType[] = ['Hardware', 'Software', 'Other']

/** The products of a type, discontinued ones last. */
export function productsOfType(products: readonly Product[], type: ProductType): Product[] {
  return products.filter(({ productType }) => productType === type).sort((one, other) => +one.isDiscontinued - +other.isDiscontinued)
}
