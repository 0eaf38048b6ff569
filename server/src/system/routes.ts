import type { Handlers } from '../lib/http/serve.ts'
import { toPublicSettings } from './system.ts'

export const systemRoutes = {
  // Independent of the database: a restart of this process would not help.
  getLiveness: () => ({ status: 'alive' }),
  getReadiness: async ({ isWritable, events }) => {
    await isWritable()
    return events.hearsItself()
      ? { status: 'ready' }
      : { status: 'ready', details: ['Changes made by other servers are not heard at once.'] }
  },
  getPublicSettings: ({ settings }) => toPublicSettings(settings),
} satisfies Partial<Handlers>
