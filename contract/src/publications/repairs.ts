import * as z from 'zod/mini'
import { UpdateModelName, updateModels } from '../devices/device-models.ts'
import { DryRunCounts } from './dry-run.ts'
import { ContentKind } from './rollout-filters.ts'

/** What a retry or a re-apply would do: the dry run of the readers that get their content again. `held`: those of all models that get it once their rollout is resumed. */
export const RepairPlan = z.object({
  models: z
    .array(z.object({ model: UpdateModelName, kind: ContentKind, counts: DryRunCounts }))
    .check(z.maxLength(updateModels.length * ContentKind.options.length)),
  held: z.int(),
})
export type RepairPlan = z.infer<typeof RepairPlan>

/** `expected`: what was shown to whoever decides: other counts by then are refused. */
export const RepairInput = z._default(z.object({ expected: z.optional(RepairPlan) }), {})
