import { configurationNames, type Product } from '@lectern/contract/products.ts'
import { dpm1500 } from './catalogue/1500dpm.ts'
import { a271 } from './catalogue/a271.ts'
import { codeRules } from './catalogue/code-rules.ts'
import { companionApp } from './catalogue/companion-app.ts'
import { cr950 } from './catalogue/cr950.ts'
import { cr1100 } from './catalogue/cr1100.ts'
import { cr1500 } from './catalogue/cr1500.ts'
import { cr2700 } from './catalogue/cr2700.ts'
import { cr5200 } from './catalogue/cr5200.ts'
import { cr8200 } from './catalogue/cr8200.ts'
import { decodeSdk } from './catalogue/decode-sdk.ts'
import type { CatalogueEntry, ProductDocument } from './catalogue/entry.ts'
import { v1300 } from './catalogue/v1300.ts'
import { v4500 } from './catalogue/v4500.ts'

const readers = [v1300, cr2700, cr950, a271, cr1100, v4500, cr1500, dpm1500, cr5200, cr8200]
const entries: readonly CatalogueEntry[] = [...readers, companionApp, codeRules, decodeSdk]

/** The products of a new database; staff edit them later. The specification gives their ids (spec §2). */
export const catalogue: readonly Omit<Product, 'createdOn' | 'updatedOn'>[] = entries.map(
  ({ description, documents, isDiscontinued = false, ...entry }) => ({
    ...entry,
    description: description.join('\n\n'),
    productImage: null,
    documents: documents.map(({ name, title }) => ({ title, url: `/documents/${name}.pdf` })),
    isDiscontinued,
    isConfigurable: entry.productId in configurationNames,
  }),
)

export type Leaflet = ProductDocument & { about: Pick<Product, 'title' | 'short'> }

export const leaflets: ReadonlyMap<string, Leaflet> = new Map(
  entries.flatMap(({ title, short, documents }) =>
    documents.map((document) => [`${document.name}.pdf`, { ...document, about: { title, short } }]),
  ),
)
