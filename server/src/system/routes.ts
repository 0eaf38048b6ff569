import { ping } from '../lib/database/database.ts'
import { Problem } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { toPublicSettings } from './system.ts'

const readyWithinMs = 2_000

export const systemRoutes = {
  // Independent of the database: a restart of this process would not help.
  getLiveness: () => ({ status: 'alive' }),
  getReadiness: async ({ db }) => {
    const late = new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error(`no response in ${readyWithinMs} ms`)), readyWithinMs).unref(),
    )
    try {
      await Promise.race([ping(db), late])
    } catch (error) {
      throw new Problem(503, 'The database does not respond.', { cause: error })
    }
    return { status: 'ready' }
  },
  getPublicSettings: ({ settings }) => toPublicSettings(settings),
} satisfies Partial<Handlers>
