import * as z from 'zod/mini'
import { UpdateModelName, updateModels } from '../devices/device-models.ts'
import { field } from '../text/fields.ts'
import { ContentKind } from './content-kind.ts'
import { Clock } from './moves.ts'
import { PublishedParts } from './publish-to-zones.ts'
import { outsideWindow, UpdateTime } from './update-time.ts'

/** Counts a model's readers by what a roll back does with them. Each reader counts once. */
export const RollBackCounts = z.object({
  model: UpdateModelName,
  kind: ContentKind,
  /** Readers that get back what they ran before. */
  givenBack: z.int(),
  /** Readers of `givenBack` that go to an older version. */
  older: z.int(),
  /** Readers that run already what they ran before. */
  hasIt: z.int(),
  /** Readers that moved, or that a user or something newer has changed since. */
  leftAlone: z.int(),
  /**
   * Readers whose previous content is not known, or does not exist any more. They keep what they run, or get what the user chose instead.
   */
  unavailable: z.int(),
  /** Readers that the rollout has not reached, and whose host PC is online to hear of the roll back. */
  released: z.int(),
  /**
   * Readers that the rollout has not reached as far as is known, as their host PC is away. If it has updated them, they get back what they
   * had.
   */
  notKnown: z.int(),
})
export type RollBackCounts = z.infer<typeof RollBackCounts>

/**
 * `contents`: what readers get back, the most frequent first. `others`: readers that get another content. `clocks`: of the zones that are
 * rolled back, each kind once.
 */
export const RollBackPlan = z.object({
  parts: z.array(RollBackCounts),
  contents: z.array(z.object({ model: UpdateModelName, kind: ContentKind, name: z.string(), readers: z.int() })),
  others: z.int(),
  clocks: z.array(Clock),
})
export type RollBackPlan = z.infer<typeof RollBackPlan>

export const maxRollBackContents = 20

export const RollBackInput = z.object({
  /** When readers get back what they had; null: at once. */
  updateTime: field(z.nullable(UpdateTime), { label: 'Update time', hint: 'On the clock of each zone’s host PC.' }),
  outsideWindow,
  /** The counts that the user was shown. Where they have changed since, the call is refused. */
  expected: z.optional(z.array(RollBackCounts).check(z.maxLength(updateModels.length * ContentKind.options.length))),
  /** What readers of `unavailable` get, by model. Readers of other models keep what they run. */
  instead: z._default(PublishedParts, []),
})
