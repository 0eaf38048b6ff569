import type { Handlers } from '../lib/http/serve.ts'
import { countries } from './countries.ts'

export const countryRoutes = {
  listCountries: () => [...countries],
} satisfies Partial<Handlers>
