import { Problem } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { logDevices } from './device-log.ts'

export const deviceLogRoutes = {
  logDevices: ({ db, caller, body }) => {
    const organizationId = caller.organizations[0]?.id
    if (organizationId === undefined) throw new Problem(409, 'You belong to no organization.')
    return logDevices(db, organizationId, body.records)
  },
} satisfies Partial<Handlers>
