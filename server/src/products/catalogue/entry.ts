import type { Product } from '@lectern/contract/products.ts'

/** A part of a document: paragraphs, then numbered steps, then lines to be typed. */
export interface DocumentSection {
  heading: string
  text?: readonly string[]
  steps?: readonly string[]
  code?: string
}

/** A document that comes with a product. Its file is `{name}.pdf`. */
export interface ProductDocument {
  name: string
  title: string
  sections: readonly DocumentSection[]
}

/** What is written about a product: the paragraphs of its description, its answers, and its documents. */
export interface CatalogueEntry extends Pick<Product, 'productId' | 'title' | 'short' | 'productType' | 'faq'> {
  description: readonly string[]
  documents: readonly ProductDocument[]
  isDiscontinued?: true
}
