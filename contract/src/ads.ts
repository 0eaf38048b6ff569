import * as z from 'zod/mini'
import { endpoint, provider } from './http/endpoint.ts'
import { Address } from './text/addresses.ts'
import { field } from './text/fields.ts'
import { CalendarDate, Instant, Line, Text } from './text/text.ts'

export const AdStatus = z.literal([0, 1, 2], 'must be 0 (draft), 1 (published) or 2 (archived)')
export type AdStatus = z.infer<typeof AdStatus>

/** Spec §3, §5. Days are in UTC; the first and the last are included. */
const AdFields = z.object({
  title: field(Line(20), { label: 'Title' }),
  description: field(Text(100), { label: 'Description' }),
  adsImage: field(z.nullable(Address(250)), { label: 'Image address', hint: 'May be left empty.' }),
  adsUrl: field(Address(250), { label: 'Address', hint: 'Where the ad leads.' }),
  adsStartDate: field(CalendarDate, { label: 'First day' }),
  adsEndDate: field(CalendarDate, { label: 'Last day', hint: 'Days are in UTC, both included.' }),
  createdByName: field(Line(100), { label: 'Creator’s name' }),
  status: field(AdStatus, { label: 'Status', hint: 'Customers see a published ad from its first to its last day.' }),
})
export const AdInput = AdFields.check(
  z.refine((ad) => ad.adsStartDate <= ad.adsEndDate, { path: ['adsEndDate'], error: 'must not be before the first day' }),
)
export type AdInput = z.infer<typeof AdInput>

export const Ad = z.extend(AdFields, { adsid: z.int(), createdOn: Instant, createdBy: z.string() })
export type Ad = z.infer<typeof Ad>

const base = '/api/lectern/marketing'
const params = z.object({ id: z.coerce.number().check(z.int('must be an ad’s id'), z.minimum(1), z.maximum(2_147_483_647)) })
const staff = provider('global:access:organizations')

export const adEndpoints = {
  listAds: endpoint({
    method: 'GET',
    path: base,
    access: 'self',
    limitedRole: 'everything',
    shows: ['ads'],
    summary: 'The ads that are shown now (staff: every ad)',
    response: z.array(Ad),
  }),
  createAd: endpoint({
    method: 'POST',
    path: base,
    access: staff,
    changes: ['ads'],
    audit: 'createAd',
    summary: 'Add an ad',
    body: AdInput,
    response: Ad,
  }),
  getAd: endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    access: 'self',
    limitedRole: 'everything',
    shows: ['ads'],
    summary: 'An ad that is shown now (staff: any ad)',
    params,
    response: Ad,
    etag: AdFields,
  }),
  updateAd: endpoint({
    method: 'PUT',
    path: `${base}/{id}`,
    access: staff,
    changes: ['ads'],
    audit: 'updateAd',
    summary: 'Change an ad',
    params,
    body: AdInput,
    response: Ad,
    etag: AdFields,
  }),
  deleteAd: endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    access: staff,
    changes: ['ads'],
    audit: 'deleteAd',
    summary: 'Delete an ad',
    params,
  }),
}
