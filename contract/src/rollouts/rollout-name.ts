import * as z from 'zod/mini'
import { field } from '../text/fields.ts'
import { Name, Uuid } from '../text/text.ts'

export const RolloutName = field(Name(80), {
  label: 'Name of the rollout',
  hint: 'Empty for none. All who see a zone of the rollout read it.',
})

/**
 * For calls that publish to one zone each: those that share a `rollout`, made by the client for one press of Publish, are one rollout. The
 * first one names it.
 */
export const rolloutFields = { rollout: z.optional(Uuid), rolloutName: z.optional(RolloutName) }

/** Null removes the name. */
export const RolloutNameInput = z.object({ name: z.nullable(RolloutName) })
