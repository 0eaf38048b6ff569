import * as z from 'zod/mini'
import { UpdateModelName, updateModels } from '../devices/device-models.ts'
import { ContentKind } from './content-kind.ts'
import { DryRunCounts } from './dry-run.ts'

/**
 * The dry run of a retry or re-apply, for the readers that get their content again. `models`: one entry per model and kind.
 * `afterResume`: how many readers, of all models, get it only once their rollout is resumed.
 */
export const RepairPlan = z.object({
  models: z
    .array(z.object({ model: UpdateModelName, kind: ContentKind, counts: DryRunCounts }))
    .check(z.maxLength(updateModels.length * ContentKind.options.length)),
  afterResume: z.int(),
})
export type RepairPlan = z.infer<typeof RepairPlan>

/** `expected`: what the user was shown. Where the counts are others by now, the call is refused. */
export const RepairInput = z._default(z.object({ expected: z.optional(RepairPlan) }), {})
