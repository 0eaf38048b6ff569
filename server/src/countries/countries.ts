import type { Country } from '@lectern/contract/countries.ts'
import isoCountries from 'i18n-iso-countries'
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }

isoCountries.registerLocale(english)

export const countries: readonly Country[] = Object.entries(isoCountries.getNames('en', { select: 'official' }))
  .map(([countryCode, name]) => ({ countryCode, name }))
  .sort((one, other) => one.name.localeCompare(other.name, 'en'))

const codes = new Set(countries.map(({ countryCode }) => countryCode))

export const isCountry = (code: string): boolean => codes.has(code)
