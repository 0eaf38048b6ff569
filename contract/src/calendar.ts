import * as z from 'zod/mini'
import { endpoint, organization } from './http/endpoint.ts'
import { ContentKind } from './publications/content-kind.ts'
import { Run } from './publications/runs.ts'
import { CalendarDate, Uuid } from './text/text.ts'

export const calendarLimits = { days: 42, runsPerDay: 100, phaseWaits: 50 }

/**
 * The next run of a rollout, where it is on this day. `zoneWords`: how its zones were chosen; only where the caller sees all of them.
 * `runs`: one per clock. `zones`: the first three names of `zoneCount`. `readers`: without an outcome yet. `otherDays`: on how many other
 * days it has runs.
 */
export const ComingRun = z.object({
  rollout: Uuid,
  title: z.string(),
  name: z.optional(z.string()),
  zoneWords: z.optional(z.string()),
  kinds: z.array(ContentKind),
  runs: z.array(Run),
  zones: z.array(z.string()),
  zoneCount: z.int(),
  readers: z.int(),
  otherDays: z.int(),
})
export type ComingRun = z.infer<typeof ComingRun>

/**
 * Zones of a rollout that wait for a phase. `isByHand`: a user begins the phase, not the gate before it. `zones`: the first three names of
 * `zoneCount`.
 */
export const PhaseWait = z.object({
  rollout: Uuid,
  title: z.string(),
  name: z.optional(z.string()),
  zoneWords: z.optional(z.string()),
  phase: z.int(),
  isByHand: z.boolean(),
  zones: z.array(z.string()),
  zoneCount: z.int(),
})
export type PhaseWait = z.infer<typeof PhaseWait>

/** `date`: by the clocks of the host PCs. `runs`: the first of `runCount`. Days without runs are left out. */
export const CalendarDay = z.object({ date: z.string(), runCount: z.int(), runs: z.array(ComingRun) })
export type CalendarDay = z.infer<typeof CalendarDay>

/**
 * `phaseWaits`: the first of `phaseWaitCount`. `before`, `after`: the number of runs on other days. `halted`, `withoutHost`: the number of
 * rollouts with zones that have no run, as they are halted or have no clock.
 */
export const Calendar = z.object({
  days: z.array(CalendarDay),
  phaseWaits: z.array(PhaseWait),
  phaseWaitCount: z.int(),
  before: z.int(),
  after: z.int(),
  halted: z.int(),
  withoutHost: z.int(),
})
export type Calendar = z.infer<typeof Calendar>

const Days = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(calendarLimits.days))

export const calendarEndpoints = {
  getCalendar: endpoint({
    method: 'GET',
    path: '/api/codedm/organization/{organizationId}/calendar',
    access: organization(),
    limitedRole: 'zones',
    shows: ['rollouts', 'schedule'],
    summary: 'The next runs of all rollouts, by day; all zones, or one',
    query: z.object({ from: CalendarDate, days: z._default(Days, 28), zone: z.optional(Uuid) }),
    response: Calendar,
  }),
}
