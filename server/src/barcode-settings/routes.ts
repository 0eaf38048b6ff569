import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import type { Brand } from '../lib/brands.ts'
import { notFound } from '../lib/http/problem.ts'
import type { Handlers, Streamed } from '../lib/http/serve.ts'
import { createSettingsReport } from './report.ts'
import { chooseSettings, getSettings, type SettingCategory } from './settings.ts'

export const barcodeSettingRoutes = {
  listSettingCategories: ({ catalogue, params }) =>
    getSettings(catalogue, params.id).categories.map(({ id, title, settings }) => ({ id, title, settings: settings.length })),
  listBarcodeSettings: ({ catalogue, params, query }) => {
    const { categories } = getSettings(catalogue, params.id)
    const shown = query.category === undefined ? categories : categories.filter(({ id }) => id === query.category)
    if (shown.length === 0) throw notFound('category')
    return shown.flatMap(({ settings }) => settings)
  },
  downloadSettingsReport: ({ catalogue, params, query, settings, headers }) => {
    const { device, categories } = getSettings(catalogue, params.id)
    return sendReport(device, 'settings', chooseSettings(categories, query.codes), settings.brands[query.branding as 0 | 1], headers)
  },
  downloadFullSettingsReport: ({ catalogue, params, query, settings, headers }) => {
    const { device, categories } = getSettings(catalogue, params.id)
    return sendReport(device, 'settings guide', categories, settings.brands[query.branding as 0 | 1], headers)
  },
} satisfies Partial<Handlers>

/** A PDF, or JSON where the caller accepts JSON first. */
function sendReport(
  device: BuilderDevice,
  content: string,
  categories: SettingCategory[],
  brand: Brand,
  { accept }: IncomingHttpHeaders,
): Streamed {
  if (accept?.split(',')[0]?.trim().startsWith('application/json'))
    return {
      headers: { 'content-type': 'application/json; charset=utf-8', vary: 'accept' },
      stream: Readable.from([JSON.stringify({ device, brand: brand.name, categories })]),
    }
  return {
    headers: { 'content-disposition': `attachment; filename="${device} ${content}.pdf"`, vary: 'accept' },
    stream: createSettingsReport(device, categories, brand),
  }
}
