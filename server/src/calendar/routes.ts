import type { Handlers } from '../lib/http/serve.ts'
import { getCalendar } from './calendar.ts'

export const calendarRoutes = {
  getCalendar: ({ db, params, query }) => getCalendar(db, params.organizationId, query),
} satisfies Partial<Handlers>
