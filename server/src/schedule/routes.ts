import type { Handlers } from '../lib/http/serve.ts'
import { getSchedule, setSchedule, setZoneSchedule } from './schedule.ts'

export const scheduleRoutes = {
  getSchedule: ({ db, params }) => getSchedule(db, params),
  setSchedule: (call) => setSchedule(call, call.body),
  setZoneSchedule: (call) => setZoneSchedule(call, call.body),
} satisfies Partial<Handlers>
