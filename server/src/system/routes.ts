import { ping } from '../lib/database/database.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { toPublicSettings } from './system.ts'

const readyWithinMs = 2_000

const noAnswer = () => Object.assign(new Error(`no response in ${readyWithinMs} ms`), { code: 'ETIMEDOUT' })

export const systemRoutes = {
  // Independent of the database: a restart of this process would not help.
  getLiveness: () => ({ status: 'alive' }),
  getReadiness: async ({ db, events }) => {
    const late = new Promise<never>((_, reject) => setTimeout(() => reject(noAnswer()), readyWithinMs).unref())
    await Promise.race([ping(db), late])
    return events.hearsItself()
      ? { status: 'ready' }
      : { status: 'ready', details: ['Changes made by other servers are not heard at once.'] }
  },
  getPublicSettings: ({ settings }) => toPublicSettings(settings),
} satisfies Partial<Handlers>
