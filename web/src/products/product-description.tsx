import type { Product } from '@lectern/contract/products.ts'
import { useId, useState } from 'react'
import { Button } from '../ui/button/button.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { ProductPicture } from './product-picture.tsx'

/** What a product is: its picture, and its description, of which the first paragraph shows at first. */
export function ProductDescription({ product }: { product: Product }) {
  const { title, short, description, productType, isConfigurable, isDiscontinued } = product
  const [first, ...rest] = splitParagraphs(description)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <section className="panel product-description" aria-label={title}>
      <ProductPicture product={product} width={340} weight="large" />
      <div className="product-description-text">
        <div className="flex flex-wrap gap-2">
          <Badge>{productType}</Badge>
          {isConfigurable && <Badge kind="accent">Barcode configurable</Badge>}
          {isDiscontinued && <Badge kind="warn">Discontinued</Badge>}
        </div>
        <h1>{title}</h1>
        <p className="product-short">{short}</p>
        <div className="grid gap-2.5" id={id}>
          {first !== undefined && <p>{first}</p>}
          {isOpen && rest.map((paragraph, index) => <p key={index}>{paragraph}</p>)}
        </div>
        {rest.length > 0 && (
          <Button variant="link" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'See Less' : 'See More'}
          </Button>
        )}
      </div>
    </section>
  )
}

const splitParagraphs = (text: string) => text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '')
