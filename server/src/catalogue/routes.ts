import type { Handlers } from '../lib/serve.ts'

export const catalogueRoutes = {
  getCatalogue: ({ catalogue }) => catalogue,
} satisfies Partial<Handlers>
