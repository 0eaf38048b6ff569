import { sql } from 'kysely'
import { Problem } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'

const readyWithinMs = 2_000

export const systemRoutes = {
  // Never asks the database: a process that answers is not to be restarted because its database is down.
  getLiveness: () => ({ status: 'alive' }),
  getReadiness: async ({ db }) => {
    const late = new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error(`no answer in ${readyWithinMs} ms`)), readyWithinMs).unref(),
    )
    try {
      await Promise.race([sql`select 1`.execute(db), late])
    } catch (error) {
      throw new Problem(503, 'The database does not answer.', { cause: error })
    }
    return { status: 'ready' }
  },
  getPublicSettings: ({ settings }) => ({
    providerName: settings.providerName,
    auth: { domain: settings.auth.domain, clientId: settings.auth.clientId, audience: settings.auth.audience },
    featureFlags: settings.featureFlags,
    accountUrl: settings.accountUrl,
    supportPhone: settings.supportPhone,
    brands: [settings.brands[0].name, settings.brands[1].name],
    localToken: settings.localToken,
    sentryDsn: settings.sentryDsn,
  }),
} satisfies Partial<Handlers>
