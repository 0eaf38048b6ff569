import * as z from 'zod/mini'
import { UpdateModelName, updateModels } from '../devices/device-models.ts'
import { field } from '../text/fields.ts'
import { ContentKind } from './content-kind.ts'
import { Clock } from './moves.ts'
import { PublishedParts } from './publish-to-zones.ts'
import { outsideWindow, UpdateTime } from './update-time.ts'

/** What a roll back does with a model's readers. Each reader counts once. */
export const RollBackCounts = z.object({
  model: UpdateModelName,
  kind: ContentKind,
  /** They get back what they ran before. */
  givenBack: z.int(),
  /** Those of `givenBack` that go to an older version. */
  older: z.int(),
  /** They run already what they ran before. */
  hasIt: z.int(),
  /** They moved, or a user or something newer has changed them since. */
  leftAlone: z.int(),
  /** What they ran before is not known, or does not exist any more: they keep what they run, or get one content. */
  notToBeHad: z.int(),
  /** The rollout has not reached them, and their host PC is online to hear of it. */
  released: z.int(),
  /**
   * The rollout has not reached them as far as is known, but their host PC is away. If it has updated them, they get back what they had.
   */
  notKnown: z.int(),
})
export type RollBackCounts = z.infer<typeof RollBackCounts>

/** What readers get, the most frequent first. `others`: readers that get something else than these. */
export const RollBackPlan = z.object({
  parts: z.array(RollBackCounts),
  contents: z.array(z.object({ model: UpdateModelName, kind: ContentKind, name: z.string(), readers: z.int() })),
  others: z.int(),
  /** Those of the zones that are rolled back, each kind once. */
  clocks: z.array(Clock),
})
export type RollBackPlan = z.infer<typeof RollBackPlan>

export const maxRollBackContents = 20

export const RollBackInput = z.object({
  /** Null: at once. */
  updateTime: field(z.nullable(UpdateTime), { label: 'Update time', hint: 'On the clock of each zone’s host PC.' }),
  outsideWindow,
  /** What the user was shown. Where the counts are others by now, the call is refused. */
  expected: z.optional(z.array(RollBackCounts).check(z.maxLength(updateModels.length * ContentKind.options.length))),
  /** By model: what readers of `notToBeHad` get; absent: they keep what they run. */
  instead: z._default(PublishedParts, []),
})
