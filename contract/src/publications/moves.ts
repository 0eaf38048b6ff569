import * as z from 'zod/mini'
import { OpenTimes } from '../schedule/open-times.ts'
import { field } from '../text/fields.ts'
import { CalendarDate, Uuid } from '../text/text.ts'
import { Run } from './runs.ts'
import { outsideWindow, UpdateTime } from './update-time.ts'

// Public ids; absent: all zones of the rollout.
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

/** One for all zones with the same windows and blocked days. `timeZones`: of their host PCs, as IANA names. */
export const Clock = z.object({ timeZones: z.array(z.string()), openTimes: OpenTimes })

/**
 * What a move would move.
 * `first`: the next run; absent where nothing waits for a time, or no host PC gives it a clock.
 * `clocks`: of the zones that are moved, each kind once.
 * `phases`: the phases that these zones wait for, each with the number of zones. `isByHand`: a user begins the phase.
 */
export const MovePlan = z.object({
  first: z.optional(Run),
  clocks: z.array(Clock),
  phases: z.array(z.object({ phase: z.int(), isByHand: z.boolean(), zones: z.int() })),
})
export type MovePlan = z.infer<typeof MovePlan>

// The most days from now to which a rollout can be moved.
export const farthestMove = 366
