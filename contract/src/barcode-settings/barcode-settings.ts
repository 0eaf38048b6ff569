import * as z from 'zod/mini'
import { type BuilderDevice, type Catalogue, listSections, listWays } from '../barcode/catalogue.ts'
import { catalogueFor, evidenceFor } from '../barcode/catalogue-devices.ts'
import { Evidence } from '../devices/evidence.ts'
import { endpoint } from '../http/endpoint.ts'

/**
 * Spec §3. `code`: the vendor's setting code, or `option:value` where there is none. `sourceString`: the commands. `evidence` (ours): how
 * well they are known for this reader.
 */
export const BarcodeSetting = z.object({
  code: z.string(),
  revision: z.string(),
  description: z.string(),
  sourceString: z.array(z.string()),
  isDefault: z.boolean(),
  evidence: z.optional(Evidence),
})
export type BarcodeSetting = z.infer<typeof BarcodeSetting>

export function barcodeSettings(catalogue: Catalogue, device: BuilderDevice): { id: string; title: string; settings: BarcodeSetting[] }[] {
  return catalogueFor(catalogue, device).flatMap((category) => {
    const settings = listSections(category)
      .flatMap(({ options }) => options)
      .flatMap((option) =>
        listWays(option).map(({ value, name, commands, setting }) => ({
          code: setting.code ?? `${option.id}:${value}`,
          revision: setting.revision ?? '01',
          description: `${option.label}: ${name}`,
          sourceString: commands,
          isDefault: setting.defaultOn?.includes(device) ?? false,
          evidence: evidenceFor(option, device, value),
        })),
      )
    return settings.length > 0 ? [{ id: category.id, title: category.title, settings }] : []
  })
}

/** 0: the first brand, 1: the second (spec §3). */
const Branding = z._default(z.coerce.number().check(z.int(), z.minimum(0, 'must be 0 or 1'), z.maximum(1, 'must be 0 or 1')), 0)
const Codes = z.string().check(z.minLength(1, 'must name a setting'), z.maxLength(20_000))

const base = '/api/mcodes'
const params = z.object({ id: z.coerce.number().check(z.int('must be a product id'), z.minimum(1), z.maximum(2_147_483_647)) })
const pdf = { contentType: 'application/pdf' }

export const barcodeSettingEndpoints = {
  listSettingCategories: endpoint({
    method: 'GET',
    path: `${base}/categories/{id}`,
    access: 'self',
    limitedRole: 'everything',
    shows: [],
    summary: 'Categories of a product’s setting barcodes',
    params,
    response: z.array(z.object({ id: z.string(), title: z.string(), settings: z.int() })),
  }),
  listBarcodeSettings: endpoint({
    method: 'GET',
    path: `${base}/settings/{id}`,
    access: 'self',
    limitedRole: 'everything',
    shows: [],
    summary: 'The setting barcodes of a category, or of all',
    params,
    query: z.object({ category: z.optional(z.string().check(z.maxLength(100))) }),
    response: z.array(BarcodeSetting),
  }),
  downloadSettingsReport: endpoint({
    method: 'GET',
    path: `${base}/report/{id}`,
    access: 'self',
    limitedRole: 'everything',
    shows: [],
    summary: 'Some setting barcodes to print (Accept: application/json gives them as data)',
    params,
    query: z.object({ branding: Branding, codes: Codes }),
    download: pdf,
  }),
  downloadFullSettingsReport: endpoint({
    method: 'GET',
    path: `${base}/report/{id}/full`,
    access: 'self',
    limitedRole: 'everything',
    shows: [],
    summary: 'Every setting barcode of a product to print (Accept: application/json gives them as data)',
    params,
    query: z.object({ branding: Branding }),
    download: pdf,
  }),
}
