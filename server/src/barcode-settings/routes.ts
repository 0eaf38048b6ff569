import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { type Caller, toCallerKey } from '../lib/http/caller.ts'
import { notFound } from '../lib/http/problem.ts'
import type { Handlers, Services, Streamed } from '../lib/http/serve.ts'
import { chooseSettings, getSettings, readCodes } from './settings.ts'

export const barcodeSettingRoutes = {
  listSettingCategories: ({ catalogue, params }) =>
    getSettings(catalogue, params.id).categories.map(({ id, title, settings }) => ({ id, title, settings: settings.length })),
  listBarcodeSettings: ({ catalogue, params, query }) => {
    const { categories } = getSettings(catalogue, params.id)
    const shown = query.category === undefined ? categories : categories.filter(({ id }) => id === query.category)
    if (shown.length === 0) throw notFound('category')
    return shown.flatMap(({ settings }) => settings)
  },
  downloadSettingsReport: ({ query: { codes, ...look }, ...call }) => sendReport(call, look, 'settings', readCodes(codes)),
  downloadFullSettingsReport: ({ query, ...call }) => sendReport(call, query, 'settings guide', null),
} satisfies Partial<Handlers>

interface ReportCall extends Pick<Services, 'catalogue' | 'drawings' | 'settings'> {
  params: { id: number }
  headers: IncomingHttpHeaders
  caller: Caller
}

/**
 * A PDF, or JSON where the caller accepts JSON first.
 * @param codes null: every setting
 */
async function sendReport(
  { catalogue, drawings, settings, params, headers, caller }: ReportCall,
  { branding, paper }: { branding: number; paper: 'a4' | 'letter' },
  content: string,
  codes: readonly string[] | null,
): Promise<Streamed> {
  const { device, categories } = getSettings(catalogue, params.id)
  const chosen = codes === null ? categories : chooseSettings(categories, codes)
  const brand = settings.brands[branding as 0 | 1]
  if (headers.accept?.split(',')[0]?.trim().startsWith('application/json'))
    return {
      headers: { 'content-type': 'application/json; charset=utf-8', vary: 'accept' },
      stream: Readable.from([JSON.stringify({ device, brand: brand.name, categories: chosen })]),
    }
  const chosenCodes = codes?.toSorted() ?? null
  const bytes = await drawings.draw(toCallerKey(caller), { kind: 'settings', product: params.id, codes: chosenCodes, brand, paper })
  return {
    headers: { 'content-disposition': `attachment; filename="${device} ${content}.pdf"`, vary: 'accept' },
    stream: Readable.from([bytes]),
  }
}
