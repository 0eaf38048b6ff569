import * as z from 'zod/mini'
import { UpdateModelName, updateModels } from '../devices/device-models.ts'
import { ContentKind } from './content-kind.ts'
import { DryRunCounts } from './dry-run.ts'

/**
 * The dry run of a retry or re-apply. `models`: one entry per model and kind, for the readers that get their content again. `afterResume`:
 * how many of all these readers get it only once their rollout is resumed.
 */
export const RepairPlan = z.object({
  models: z
    .array(z.object({ model: UpdateModelName, kind: ContentKind, counts: DryRunCounts }))
    .check(z.maxLength(updateModels.length * ContentKind.options.length)),
  afterResume: z.int(),
})
export type RepairPlan = z.infer<typeof RepairPlan>

/** `expected`: the dry run that the user was shown. Where its counts have changed since, the call is refused. */
export const RepairInput = z._default(z.object({ expected: z.optional(RepairPlan) }), {})
