import type { Product } from '@lectern/contract/products.ts'

export interface DocumentSection {
  heading: string
  text?: readonly string[]
  steps?: readonly string[]
  code?: string
}

export interface ProductDocument {
  name: string
  title: string
  sections: readonly DocumentSection[]
}

export interface CatalogueEntry extends Pick<Product, 'productId' | 'title' | 'short' | 'productType' | 'faq'> {
  description: readonly string[]
  documents: readonly ProductDocument[]
  isDiscontinued?: true
}
