import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import type { Brand } from '../lib/brands.ts'
import { notFound } from '../lib/http/problem.ts'
import type { Handlers, Streamed } from '../lib/http/serve.ts'
import { settingsReport } from './report.ts'
import { chosen, listSettings, type SettingCategory } from './settings.ts'

export const barcodeSettingRoutes = {
  listSettingCategories: ({ catalogue, params }) =>
    listSettings(catalogue, params.id).categories.map(({ id, title, settings }) => ({ id, title, settings: settings.length })),
  listBarcodeSettings: ({ catalogue, params, query }) => {
    const { categories } = listSettings(catalogue, params.id)
    const wanted = query.category === undefined ? categories : categories.filter(({ id }) => id === query.category)
    if (wanted.length === 0) throw notFound('category')
    return wanted.flatMap(({ settings }) => settings)
  },
  downloadSettingsReport: ({ catalogue, params, query, settings, headers }) => {
    const { device, categories } = listSettings(catalogue, params.id)
    return report(device, 'settings', chosen(categories, query.codes), settings.brands[query.branding as 0 | 1], headers)
  },
  downloadFullSettingsReport: ({ catalogue, params, query, settings, headers }) => {
    const { device, categories } = listSettings(catalogue, params.id)
    return report(device, 'settings guide', categories, settings.brands[query.branding as 0 | 1], headers)
  },
} satisfies Partial<Handlers>

/** The settings as a PDF to print, named after what it holds, or as data for whoever accepts only that (decided). */
function report(
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
    stream: settingsReport(device, categories, brand),
  }
}
