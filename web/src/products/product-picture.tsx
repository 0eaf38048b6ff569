import type { Product } from '@lectern/contract/products.ts'
import { AppWindow, Braces, type LucideIcon, MonitorDown, Package, ScanLine } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../ui/class-names.ts'
import { hasReaderDrawing, ReaderDrawing } from '../ui/reader-drawing.tsx'
import './product-picture.css'

const softwareIcons: Record<string, LucideIcon> = { 'Companion app': MonitorDown, CodeRules: Braces, 'Decode SDK': ScanLine }

type ProductPictureProps = {
  product: Pick<Product, 'title' | 'productType' | 'productImage'>
  /** Of a drawing, in px; an image fills the plate. */
  width: number
  weight?: 'normal' | 'large'
}

/** A product's image, or the drawing that stands in for it, on a plate of grid paper. Its title stands beside it, so it is not read out. */
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
