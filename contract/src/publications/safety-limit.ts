import * as z from 'zod/mini'
import { field } from '../text/fields.ts'
import { Uuid } from '../text/text.ts'
import { StopTime } from './update-time.ts'

/** Per cent of a zone's readers. The zone halts when more have failed. Null: no limit. */
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

/** A zone that the safety limit has halted, with the figures of that time. One that a user resumed is not halted again. */
export const LimitedZone = z.object({
  zoneId: Uuid,
  zone: z.string(),
  at: z.iso.datetime(),
  failed: z.int(),
  readers: z.int(),
  isResumed: z.boolean(),
})
export type LimitedZone = z.infer<typeof LimitedZone>

/**
 * The safety limit of a rollout. `zones`: the first five of `zoneCount`. `halting`: how many it would halt again if they were resumed;
 * these come first. `later`: the limit for the organization's later rollouts.
 */
export const SafetyLimit = z.object({
  haltAbovePercent: HaltAbove,
  stopTime: StopTime,
  later: z.object({ haltAbovePercent: HaltAbove, stopTime: StopTime }),
  zones: z.array(LimitedZone),
  zoneCount: z.int(),
  halting: z.int(),
})
