import type { Handlers } from '../lib/http/serve.ts'
import { getPublishingDefaults, getSchedule, setPublishingDefaults, setSchedule, setZoneSchedule } from './schedule.ts'

export const scheduleRoutes = {
  getPublishingDefaults: ({ db, params }) => getPublishingDefaults(db, params.organizationId),
  setPublishingDefaults: (call) => setPublishingDefaults(call, call.body),
  getSchedule: ({ db, params }) => getSchedule(db, params),
  setSchedule: (call) => setSchedule(call, call.body),
  setZoneSchedule: (call) => setZoneSchedule(call, call.body),
} satisfies Partial<Handlers>
