import type { Product } from '@lectern/contract/products.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { ProductGrid } from './product-card.tsx'

/** How many others are shown; the list has all. */
const shown = 3

/** Other products of the person's group, those of the same type first. Nothing when there are none or they do not load. */
export function OtherProducts({ product }: { product: Product }) {
  const person = useQuery(q('getCurrentUser', {}))
  const products = useQuery(q('listProducts', {}))
  const group = person.data?.group
  if (!group || !products.data) return null
  const isOfSameType = ({ productType }: Product) => productType === product.productType
  const others = products.data
    .filter(({ productId }) => productId !== product.productId && group.products.includes(productId))
    .sort((one, other) => +one.isDiscontinued - +other.isDiscontinued || +isOfSameType(other) - +isOfSameType(one))
    .slice(0, shown)
  if (others.length === 0) return null
  return (
    <section aria-labelledby="other-products">
      <h2 className="heading-3 mb-2.5" id="other-products">
        {group.products.includes(product.productId) ? 'Also in' : 'In'} {group.name}
      </h2>
      <ProductGrid products={others} compact />
    </section>
  )
}
