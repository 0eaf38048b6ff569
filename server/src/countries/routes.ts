import type { Handlers } from '../lib/serve.ts'
import { countries } from './countries.ts'

export const countryRoutes = {
  listCountries: () => [...countries],
} satisfies Partial<Handlers>
