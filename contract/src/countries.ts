import * as z from 'zod/mini'
import { endpoint } from './http/endpoint.ts'

/** ISO 3166-1 alpha-2 (spec §5). */
export const CountryCode = z
  .string()
  .check(z.length(2, { error: 'must have exactly 2 characters', abort: true }), z.regex(/^[A-Z]{2}$/, 'must be a country code'))

export const Country = z.object({ countryCode: CountryCode, name: z.string() })
export type Country = z.infer<typeof Country>

/** The country of an empty form, and of a phone number without a country code (spec §9). */
export const defaultCountry = 'US'

export const countryEndpoints = {
  listCountries: endpoint({
    method: 'GET',
    path: '/api/lectern/country',
    access: 'self',
    limitedRole: 'everything',
    shows: [],
    summary: 'Countries by name',
    response: z.array(Country),
  }),
}
