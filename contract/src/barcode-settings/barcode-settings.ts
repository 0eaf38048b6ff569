import * as z from 'zod/mini'
import { type BuilderDevice, type Catalogue, listSections, listWays, type Option } from '../barcode/catalogue.ts'
import { catalogueFor, evidenceFor } from '../barcode/catalogue-devices.ts'
import { type UnplacedSetting, unplacedSettings } from '../barcode/unplaced-settings.ts'
import { Evidence } from '../devices/evidence.ts'
import { endpoint } from '../http/endpoint.ts'

/**
 * Spec §3. `code`: the vendor's setting code, or `option:value` where there is none. `sourceString`: the commands. `evidence` (ours): how
 * well they are known for this reader. `group` (ours): what the setting belongs to, such as a symbology.
 */
export const BarcodeSetting = z.object({
  code: z.string(),
  revision: z.string(),
  description: z.string(),
  sourceString: z.array(z.string()),
  isDefault: z.boolean(),
  evidence: z.optional(Evidence),
  group: z.optional(z.string()),
})
export type BarcodeSetting = z.infer<typeof BarcodeSetting>

interface SettingCategory {
  id: string
  title: string
  settings: BarcodeSetting[]
}

/** Every setting barcode of a reader: the options', then resets and service. */
export function barcodeSettings(catalogue: Catalogue, device: BuilderDevice): SettingCategory[] {
  const ofOptions = catalogueFor(catalogue, device).map((category): SettingCategory => {
    const groups = category.sidebar ?? listSections(category).map((section) => ({ title: section.title, sections: [section] }))
    const settings = groups.flatMap(({ title, sections }) =>
      sections.flatMap(({ options }) => options.flatMap((option) => listSettings(option, device, title))),
    )
    return { id: category.id, title: category.title, settings }
  })
  return [...ofOptions, { id: 'service', title: 'Reset and service', settings: listServiceSettings(device) }].filter(
    ({ settings }) => settings.length > 0,
  )
}

const listSettings = (option: Option, device: BuilderDevice, group: string): BarcodeSetting[] =>
  listWays(option).map(({ value, name, commands, setting }) => ({
    code: setting.code ?? `${option.id}:${value}`,
    revision: setting.revision ?? '01',
    description: `${option.label}: ${name}`,
    sourceString: commands,
    isDefault: setting.defaultOn?.includes(device) ?? false,
    evidence: evidenceFor(option, device, value),
    group,
  }))

const serviceGroups: Partial<Record<UnplacedSetting['kind'], string>> = { action: 'Resets and restarts', query: 'Reports' }

/** What is no option, done once. Settings that only repeat or combine options are left out: their commands are there already. */
const listServiceSettings = (device: BuilderDevice): BarcodeSetting[] =>
  unplacedSettings.flatMap(({ code, kind, description, commands, devices, evidence }) => {
    const group = serviceGroups[kind]
    if (!code || !group || !devices.includes(device)) return []
    return [{ code, revision: '01', description, sourceString: commands, isDefault: false, evidence, group }]
  })

/** 0: the first brand, 1: the second (spec §3). */
const Branding = z._default(z.coerce.number().check(z.int(), z.minimum(0, 'must be 0 or 1'), z.maximum(1, 'must be 0 or 1')), 0)
const Codes = z.string().check(z.minLength(1, 'must name a setting'), z.maxLength(20_000))

/** `a4` or `letter`. */
const Paper = z._default(z.enum(['a4', 'letter']), 'a4')

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
    query: z.object({ branding: Branding, paper: Paper, codes: Codes }),
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
    query: z.object({ branding: Branding, paper: Paper }),
    download: pdf,
  }),
}
