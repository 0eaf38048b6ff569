import type { Handlers } from '../lib/http/serve.ts'
import { getCalendar } from './calendar.ts'

export const calendarRoutes = {
  getCalendar: ({ db, params, query }) => getCalendar(db, params, query),
} satisfies Partial<Handlers>
