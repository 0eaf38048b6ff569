import type { Product } from '@lectern/contract/products.ts'
import { AppWindow, Braces, type LucideIcon, MonitorDown, Package, ScanLine } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../ui/class-names.ts'
import { hasReaderDrawing, ReaderDrawing } from '../ui/reader-drawing.tsx'
import './product-picture.css'

const softwareIcons: Record<string, LucideIcon> = { 'Companion app': MonitorDown, CodeRules: Braces, 'Decode SDK': ScanLine }

interface ProductPictureProps {
  product: Pick<Product, 'title' | 'productType' | 'productImage'>
  /** The width of a drawing in px; an image fills its frame. */
  width: number
  weight?: 'normal' | 'large'
}

/** A product's image; a drawing where it has none, or the image does not load. Without alternative text, as the title is beside it. */
export function ProductPicture({ product, width, weight }: ProductPictureProps) {
  const [broken, setBroken] = useState<string>()
  const { title, productType, productImage } = product
  if (productImage && productImage !== broken)
    return (
      <span className="product-picture">
        <img src={productImage} alt="" referrerPolicy="no-referrer" onError={() => setBroken(productImage)} />
      </span>
    )
  if (productType === 'Hardware')
    return (
      <span className="product-picture">
        <ReaderDrawing model={hasReaderDrawing(title) ? title : 'Reader'} width={width} weight={weight} />
      </span>
    )
  const Icon = productType === 'Software' ? (softwareIcons[title] ?? AppWindow) : Package
  return (
    <span className={classNames('product-picture', weight === 'large' && 'product-picture-large')}>
      <Icon size={weight === 'large' ? 120 : 40} />
    </span>
  )
}
