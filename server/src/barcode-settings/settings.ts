import { BuilderDevice, type Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { type BarcodeSetting, barcodeSettings } from '@lectern/contract/barcode-settings/barcode-settings.ts'
import { configurationNames } from '@lectern/contract/products.ts'
import { notFound, Problem } from '../lib/http/problem.ts'

export interface SettingCategory {
  id: string
  title: string
  settings: BarcodeSetting[]
}

/** Throws a Problem 404 for a product without setting barcodes. */
export function getSettings(catalogue: Catalogue, productId: number): { device: BuilderDevice; categories: SettingCategory[] } {
  const device = BuilderDevice.safeParse(configurationNames[productId])
  if (!device.success) throw notFound('product with setting barcodes')
  return { device: device.data, categories: barcodeSettings(catalogue, device.data) }
}

/** Reads codes that are separated by commas; each counts once. */
export const readCodes = (codes: string): string[] => [...new Set(codes.split(',').map((code) => code.trim()))]

/** Throws a Problem 400 that names an unknown code. */
export function chooseSettings(categories: readonly SettingCategory[], codes: readonly string[]): SettingCategory[] {
  const chosen = new Set(codes)
  const known = new Set(categories.flatMap(({ settings }) => settings.map(({ code }) => code)))
  const unknown = [...chosen].find((code) => !known.has(code))
  if (unknown !== undefined) {
    const message = `There is no setting "${unknown}" of this product.`
    throw new Problem(400, message, { errors: [{ field: 'codes', message }] })
  }
  return categories
    .map((category) => ({ ...category, settings: category.settings.filter(({ code }) => chosen.has(code)) }))
    .filter(({ settings }) => settings.length > 0)
}
