import { BuilderDevice, type Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { type BarcodeSetting, barcodeSettings } from '@lectern/contract/barcode-settings/barcode-settings.ts'
import { configurationNames } from '@lectern/contract/products.ts'
import { notFound, Problem } from '../lib/http/problem.ts'

/** The settings of one category of a reader. */
export interface SettingCategory {
  id: string
  title: string
  settings: BarcodeSetting[]
}

/** A product's reader with its setting barcodes by category. Throws a Problem for a product that is no reader with setting barcodes. */
export function listSettings(catalogue: Catalogue, productId: number): { device: BuilderDevice; categories: SettingCategory[] } {
  const device = BuilderDevice.safeParse(configurationNames[productId])
  if (!device.success) throw notFound('product with setting barcodes')
  return { device: device.data, categories: barcodeSettings(catalogue, device.data) }
}

/** Only these settings, in the order of the guide. Throws a Problem that names a code there is none of. */
export function chosen(categories: readonly SettingCategory[], codes: string): SettingCategory[] {
  const wanted = new Set(codes.split(',').map((code) => code.trim()))
  const known = new Set(categories.flatMap(({ settings }) => settings.map(({ code }) => code)))
  const unknown = [...wanted].find((code) => !known.has(code))
  if (unknown !== undefined) {
    const message = `There is no setting "${unknown}" of this product.`
    throw new Problem(400, message, { errors: [{ field: 'codes', message }] })
  }
  return categories
    .map((category) => ({ ...category, settings: category.settings.filter(({ code }) => wanted.has(code)) }))
    .filter(({ settings }) => settings.length > 0)
}
