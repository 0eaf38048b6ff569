import * as z from 'zod/mini'
import { field } from '../text/fields.ts'
import { Uuid } from '../text/text.ts'
import { StopTime } from './update-time.ts'

/** In per cent of a zone's readers. When more readers have failed, the zone halts. Null: no limit. */
const HaltAbove = z.nullable(
  z
    .int('The limit must be a whole number.')
    .check(z.minimum(1, 'The limit must be at least 1.'), z.maximum(100, 'The limit must be at most 100.')),
)

export const SafetyLimitInput = z.object({
  haltAbovePercent: field(HaltAbove, {
    label: 'Halt a zone when failed exceeds',
    hint: 'In percent of all readers of the zone in this rollout, 1 to 100. Empty for no limit.',
  }),
  stopTime: field(StopTime, {
    label: 'Stop starting new readers at',
    hint: 'On the clock of each zone’s host PC. The other readers start at the next update time. Leave it empty for no stop time.',
  }),
  forLater: field(z._default(z.boolean(), false), { label: 'Also for later rollouts of this organization' }),
})
export type SafetyLimitInput = z.infer<typeof SafetyLimitInput>

/**
 * A zone that the safety limit has halted, with the figures of that time. `isResumed`: a user let it go on, so this limit does not halt it
 * again.
 */
export const HaltedZone = z.object({
  zoneId: Uuid,
  zone: z.string(),
  at: z.iso.datetime(),
  failed: z.int(),
  readers: z.int(),
  isResumed: z.boolean(),
})
export type HaltedZone = z.infer<typeof HaltedZone>

/**
 * The safety limit of a rollout. `later`: the limit for the organization's later rollouts. `zones`: the first five zones that it has halted.
 * `zoneCount`: how many it has halted. `halting`: how many of them it halts now and would halt again once resumed; they are first in `zones`.
 */
export const SafetyLimit = z.object({
  haltAbovePercent: HaltAbove,
  stopTime: StopTime,
  later: z.object({ haltAbovePercent: HaltAbove, stopTime: StopTime }),
  zones: z.array(HaltedZone),
  zoneCount: z.int(),
  halting: z.int(),
})
