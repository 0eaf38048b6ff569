import type { Handlers } from '../lib/http/serve.ts'
import { makeGoCode } from './gocode.ts'

export const gocodeRoutes = {
  makeGoCode: ({ body, catalogue, settings }) => makeGoCode(body, catalogue, settings.providerName),
} satisfies Partial<Handlers>
