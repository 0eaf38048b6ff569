import * as z from 'zod/mini'
import { endpoint, organization } from '../http/endpoint.ts'
import { field } from '../text/fields.ts'
import { CalendarDate, OptionalLine, Uuid } from '../text/text.ts'
import { everOpens, weekdays } from './open-times.ts'

const TimeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'Enter a time of day, such as 22:00.', abort: true }))

/** On the clock of each host PC. `to` is excluded; where it is not after `from`, it is on the next day. */
const Window = z.object({
  days: field(z.array(z.enum(weekdays)).check(z.minLength(1, 'A window without a day is never open. Choose a day.'), z.maxLength(7)), {
    label: 'Days',
  }),
  from: field(TimeOfDay, { label: 'From' }),
  to: field(TimeOfDay, { label: 'To' }),
})

const longest = 366
const dayLength = 86_400_000

const BlockedDays = z
  .object({
    from: field(CalendarDate, { label: 'First day' }),
    to: field(CalendarDate, { label: 'Last day' }),
    name: field(OptionalLine(60), { label: 'Name' }),
  })
  .check(
    z.refine(({ from, to }) => from <= to, { message: 'The last day is before the first.', path: ['to'] }),
    z.refine(({ from, to }) => (Date.parse(to) - Date.parse(from)) / dayLength < longest, {
      message: `Block at most ${longest} days in a row.`,
      path: ['to'],
    }),
  )

const WindowList = z.array(Window).check(z.maxLength(14, 'Enter at most 14 windows.'))
const BlockedDaysList = z.array(BlockedDays).check(z.maxLength(60, 'Enter at most 60 blocked days or rows of days.'))

const isEverOpen = z.refine<{ windows: z.infer<typeof WindowList> | null; blockedDays: z.infer<typeof BlockedDaysList> }>(
  ({ windows, blockedDays }) =>
    // Refused by another rule.
    windows?.some(({ days }) => days.length === 0) ||
    everOpens({ windows: windows ?? [], blockedDays }, new Date().toISOString().slice(0, 10)),
  { message: 'These windows never open within a year: every one is on a blocked day.', path: ['windows'] },
)

/** An organization's. Without a window runs may be at any time. */
export const Schedule = z.object({ windows: WindowList, blockedDays: BlockedDaysList })
export type Schedule = z.infer<typeof Schedule>

export const ScheduleInput = Schedule.check(isEverOpen)
export type ScheduleInput = z.infer<typeof ScheduleInput>

/** A zone's. `windows`: null where the organization's hold. The organization's blocked days count in addition. */
export const ZoneSchedule = z.object({ windows: z.nullable(WindowList), blockedDays: BlockedDaysList })
export type ZoneSchedule = z.infer<typeof ZoneSchedule>

/** `zones`: those with settings of their own. */
export const WholeSchedule = z.extend(Schedule, { zones: z.array(z.extend(ZoneSchedule, { zoneId: Uuid, zone: z.string() })) })
export type WholeSchedule = z.infer<typeof WholeSchedule>

const path = '/api/codedm/organization/{organizationId}/schedule' as const

export const scheduleEndpoints = {
  getSchedule: endpoint({
    method: 'GET',
    path,
    access: organization(),
    limitedRole: 'zones',
    shows: ['schedule'],
    summary: 'The maintenance windows and blocked days of an organization, and of zones that have their own',
    response: WholeSchedule,
    etag: Schedule,
  }),
  setSchedule: endpoint({
    method: 'PUT',
    path,
    access: organization('manage:people'),
    changes: ['schedule'],
    audit: 'setSchedule',
    summary: 'Sets the maintenance windows and blocked days of an organization; runs that wait move with them',
    body: ScheduleInput,
    response: WholeSchedule,
    etag: Schedule,
  }),
  setZoneSchedule: endpoint({
    method: 'PUT',
    path: '/api/codedm/organization/{organizationId}/location/{location}/schedule',
    access: organization('manage:people'),
    changes: ['schedule'],
    audit: 'setZoneSchedule',
    summary: 'Sets the windows and blocked days of a zone; null and an empty list leave it with those of its organization',
    params: z.object({ location: Uuid }),
    body: ZoneSchedule.check(isEverOpen),
    response: WholeSchedule,
  }),
}
