import type { Product, ProductInput } from '@lectern/contract/products.ts'

/** A product as its form holds it. */
export type ProductValues = Omit<ProductInput, 'productImage'> & { productImage: string }

export const newProduct: ProductValues = {
  title: '',
  short: '',
  description: '',
  productType: 'Hardware',
  productImage: '',
  faq: [],
  documents: [],
  isDiscontinued: false,
  isConfigurable: false,
}

export const toValues = ({ productId, createdOn, updatedOn, productImage, ...product }: Product): ProductValues => ({
  ...product,
  productImage: productImage ?? '',
})

/** What the call takes. */
export const productInput = (values: ProductValues): ProductInput => ({
  title: values.title.trim(),
  short: values.short.trim(),
  description: values.description.trim(),
  productType: values.productType,
  productImage: values.productImage.trim() || null,
  faq: values.faq.map(({ question, answer }) => ({ question: question.trim(), answer: answer.trim() })),
  documents: values.documents.map(({ title, url }) => ({ title: title.trim(), url: url.trim() })),
  isDiscontinued: values.isDiscontinued,
  isConfigurable: values.isConfigurable,
})
