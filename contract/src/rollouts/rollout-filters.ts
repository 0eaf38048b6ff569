import * as z from 'zod/mini'
import { DeviceModel } from '../devices/device-models.ts'
import { ContentKind } from '../publications/content-kind.ts'
import { Instant, Text, Uuid } from '../text/text.ts'

/**
 * What lists of zones and rollouts can be filtered by. `failed`: readers have failed, in any state. `underWay` (rollouts): any state that
 * goes on and is not halted.
 */
export const zoneFilters = [
  'updating',
  'halted',
  'waitingForHost',
  'scheduled',
  'waitingForPhase',
  'complete',
  'replaced',
  'empty',
  'failed',
] as const
export const rolloutFilters = [...zoneFilters, 'underWay'] as const
export type RolloutFilter = (typeof rolloutFilters)[number]

/** `Left`: readers without an outcome. */
export const zoneColumns = ['Name', 'Failed', 'Left'] as const

/** `textFilter`: words in the title, the name, or the words of the zones. `person`: a user's id. `from` is inclusive, `to` is not. */
export const RolloutListFilter = z.object({
  textFilter: z._default(Text(200), ''),
  state: z.optional(z.enum(rolloutFilters)),
  kind: z.optional(ContentKind),
  model: z.optional(DeviceModel),
  zone: z.optional(Uuid),
  person: z.optional(Uuid),
  from: z.optional(Instant),
  to: z.optional(Instant),
})
export type RolloutListFilter = z.infer<typeof RolloutListFilter>

export const RolloutChoices = z.object({ people: z.array(z.object({ id: Uuid, name: z.string() })) })
export type RolloutChoices = z.infer<typeof RolloutChoices>
