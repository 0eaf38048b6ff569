import type { Handlers } from '../lib/http/serve.ts'

export const catalogueRoutes = {
  getCatalogue: ({ catalogue }) => catalogue,
} satisfies Partial<Handlers>
