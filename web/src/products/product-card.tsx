import type { Product } from '@lectern/contract/products.ts'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { classNames } from '../ui/class-names.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { ProductPicture } from './product-picture.tsx'
import './product-card.css'

interface ProductGridProps {
  products: readonly Product[]
  compact?: boolean
}

export function ProductGrid({ products, compact = false }: ProductGridProps) {
  return (
    <ul className={classNames('product-grid', compact && 'product-grid-compact')}>
      {products.map((product) => (
        <li key={product.productId}>
          <ProductCard product={product} compact={compact} />
        </li>
      ))}
    </ul>
  )
}

function ProductCard({ product, compact }: { product: Product; compact: boolean }) {
  return (
    <Link to={paths.product({ productId: product.productId })} className="product-card">
      <ProductPicture product={product} width={compact ? 76 : 148} />
      <span className="product-card-text">
        <b className="product-card-title">{product.title}</b>
        <span className="product-card-short">{product.short}</span>
      </span>
      <span className="product-card-badges">
        {product.isConfigurable && !compact && <Badge kind="accent">Barcode configurable</Badge>}
        {product.isDiscontinued && <Badge kind="warn">Discontinued</Badge>}
      </span>
    </Link>
  )
}

export function ProductGridSkeleton() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading...
      </p>
      <ul className="product-grid" aria-hidden="true">
        {Array.from({ length: 4 }, (_, index) => (
          <li key={index} className="product-card">
            <span className="product-picture" />
            <span className="product-card-text grid content-start gap-2">
              <Skeleton width={88} />
              <Skeleton width={200} />
            </span>
            <span className="product-card-badges" />
          </li>
        ))}
      </ul>
    </>
  )
}
