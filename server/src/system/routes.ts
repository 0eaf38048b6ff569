import { Problem } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { toPublicSettings } from './system.ts'

export const systemRoutes = {
  // Does not depend on the database: restarting this process would not bring it back.
  getLiveness: () => ({ status: 'alive' }),
  getReadiness: async ({ isWritable, events, stopping }) => {
    if (stopping.aborted) throw new Problem(503, 'The server is stopping. Send new requests to another one.')
    await isWritable()
    return events.hearsItself()
      ? { status: 'ready' }
      : { status: 'ready', details: ['Changes made by other servers are not heard at once.'] }
  },
  getPublicSettings: ({ settings }) => toPublicSettings(settings),
} satisfies Partial<Handlers>
