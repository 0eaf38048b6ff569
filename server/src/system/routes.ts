import { Problem } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { toPublicSettings } from './system.ts'

export const systemRoutes = {
  // Independent of the database: a restart of this process would not help.
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
