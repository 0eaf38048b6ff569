import * as z from 'zod/mini'
import { field } from '../text/fields.ts'
import { CalendarDate, Uuid } from '../text/text.ts'
import { outsideWindow, UpdateTime } from './update-time.ts'

// Absent: all zones of the rollout.
const zones = z.optional(
  z.array(Uuid).check(z.minLength(1, 'Name a zone, or none for all.'), z.maxLength(1_000, 'Name at most 1,000 zones.')),
)

export const StartInput = z.object({ zones, outsideWindow })
export type StartInput = z.infer<typeof StartInput>

export const MoveInput = z.object({
  zones,
  date: field(CalendarDate, { label: 'Day' }),
  updateTime: field(UpdateTime, { label: 'Update time', hint: 'On the clock of each zone’s host PC.' }),
})
export type MoveInput = z.infer<typeof MoveInput>

// Days from now to which a rollout can be moved.
export const farthestMove = 366
