import * as z from 'zod/mini'
import { field } from '../text/fields.ts'
import { Uuid } from '../text/text.ts'
import { SafetyLimitInput } from './safety-limit.ts'

// Positions of readers in a rollout are below this, from 0 on.
export const positionCount = 10_000
// The last phase, which is the rest, is not counted.
export const mostPhases = 5
// Minutes of the longest soak time, a week.
export const longestSoak = 7 * 24 * 60

const percent = (noun: string) =>
  z
    .int(`${noun} must be a whole number.`)
    .check(z.minimum(0, `${noun} must be at least 0.`), z.maximum(100, `${noun} must be at most 100.`))

// Shares in per cent of the phase's readers. Above one of them, the gate halts the rollout.
export const gateFields = {
  maxFailedPercent: field(percent('The share of failed readers'), { label: 'Failed, at most', hint: 'In percent of this phase.' }),
  maxSilentPercent: field(percent('The share of silent readers'), { label: 'Silent, at most', hint: 'In percent of this phase.' }),
}

// 'by hand': a user begins the next phase.
export const Gate = z.union([z.literal('by hand'), z.object(gateFields)])
export type Gate = z.infer<typeof Gate>

export const Share = field(
  z
    .int('The share must be a whole number.')
    .check(z.minimum(1, 'The share must be at least 1.'), z.maximum(99, 'The share must be at most 99.')),
  { label: 'Share of readers', hint: 'In percent of all readers, at least one.' },
)

export const Soak = field(
  z
    .int('The soak time must be whole minutes.')
    .check(
      z.minimum(0, 'The soak time must be at least 0.'),
      z.maximum(longestSoak, `The soak time must be at most ${longestSoak} minutes, a week.`),
    ),
  { label: 'Soak time', hint: 'Minutes after its last reader.' },
)

export const PhaseZones = field(
  z.array(Uuid).check(z.minLength(1, 'Choose a zone.'), z.maxLength(200, 'Choose at most 200 zones for a phase.')),
  { label: 'Zones', hint: 'With all their readers.' },
)

// A phase before the rest: a share of the readers, or all readers of chosen zones.
export const Phase = z
  .object({
    share: z.optional(Share),
    zones: z.optional(PhaseZones),
    soakMinutes: Soak,
    gate: Gate,
  })
  .check(
    z.refine(({ share, zones }) => (share === undefined) !== (zones === undefined), {
      message: 'A phase is either a share of the readers or chosen zones.',
      path: ['share'],
    }),
  )
export type Phase = z.infer<typeof Phase>

export const sumOfShares = (phases: readonly { share?: number | undefined }[]): number =>
  phases.reduce((sum, { share = 0 }) => sum + share, 0)

export const describeShares = (sum: number): string =>
  `The shares add up to ${sum}%. Leave readers for the last phase, which has the rest: at most 99%.`

export const sharesFit = z.refine<readonly { share?: number | undefined }[]>((phases) => sumOfShares(phases) < 100, {
  error: ({ input }) => describeShares(sumOfShares(input as Phase[])),
})

const zonesDiffer = z.refine<readonly { zones?: readonly string[] | undefined }[]>(
  (phases) => {
    const zones = phases.flatMap((phase) => phase.zones ?? [])
    return new Set(zones).size === zones.length
  },
  { message: 'A zone is in two phases. Leave it in one.' },
)

const atMost = z.maxLength(mostPhases, `Enter at most ${mostPhases} phases. The rest is a phase of its own.`)

/** Soak time and gate of a phase until something else is entered. */
export const defaultPhase = { soakMinutes: 60, gate: { maxFailedPercent: 2, maxSilentPercent: 10 } } as const

const proposedShares = [1, 10]

/** The phases that a large publish is offered (SEE-03), without the rest. */
export const proposedPhases: Phase[] = proposedShares.map((share) => ({ share, ...defaultPhase }))

const [firstShare, ...laterShares] = proposedShares

/** The proposed phases in words: "1% of the readers begin, then 10%, then the rest". */
export const proposedPhasesText = `${firstShare}% of the readers begin${laterShares.map((share) => `, then ${share}%`).join('')}, then the rest`

// The phases before the rest, in their order; all other readers are in the rest.
export const Phases = z.array(Phase).check(atMost, sharesFit, zonesDiffer)

export const Limits = z.pick(SafetyLimitInput, { haltAbovePercent: true, stopTime: true })
export type Limits = z.infer<typeof Limits>

// Fields of the first publication of a rollout. Absent: what the organization has set for its rollouts.
export const safetyFields = { limits: z.optional(Limits), phases: z.optional(Phases) }
export interface SafetyFields {
  limits?: Limits | undefined
  phases?: Phase[] | undefined
}

const fromJson = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.optional(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((text, context) => {
          try {
            return JSON.parse(text) as unknown
          } catch {
            context.issues.push({ code: 'custom', message: 'must be JSON', input: text })
            return z.NEVER
          }
        }),
      ),
      schema,
    ),
  )

// The same fields in an upload, where each is a text in JSON.
export const safetyTexts = { limits: fromJson(Limits), phases: fromJson(Phases) }

// Returns the end of each phase, the rest included. A phase has the positions from the end of the phase before up to its own; a phase of
// zones has none. The server moves the end of a share that has no reader (docs/decisions/0059).
export function listEnds(phases: readonly Pick<Phase, 'share'>[]): number[] {
  let end = 0
  const ends = phases.map(({ share = 0 }) => {
    end += (share * positionCount) / 100
    return end
  })
  return [...ends, positionCount]
}

// Which readers of a publication may begin: those whose position in `rollout` is below `end`.
export const Admitted = z.object({ rollout: Uuid, end: z.int() })
export type Admitted = z.infer<typeof Admitted>

/**
 * waiting: a phase before it is not over.
 * running: some of its readers are not done.
 * soaking: all of its readers are done, and it is watched until `soakedAt`.
 * byHand: it has soaked, and a user must begin the next phase.
 * empty: its turn has come, and it has no reader.
 * halted: its gate has halted the rollout.
 * passed: the next phase has started.
 * done: it is the last phase, and all of its readers are done.
 * ended: something newer or a roll back replaced the rollout before the phase was over.
 */
export const phaseStates = ['waiting', 'running', 'soaking', 'byHand', 'empty', 'halted', 'passed', 'done', 'ended'] as const

/** A phase of a rollout. The last one has neither share nor gate. */
export const RolloutPhase = z.object({
  number: z.int(),
  share: z.optional(z.int()),
  /** How many zones were chosen for the phase; absent for a share and for the rest. */
  zones: z.optional(z.int()),
  /** The names of the first zones that the caller sees. */
  zoneNames: z.optional(z.array(z.string())),
  soakMinutes: z.int(),
  gate: z.optional(Gate),
  state: z.enum(phaseStates),
  readers: z.int(),
  applied: z.int(),
  failed: z.int(),
  silent: z.int(),
  /** Of `failed`, those that no published command gives the content: they count toward no gate. Absent for none. */
  notPossible: z.optional(z.int()),
  /** Readers with a position below this are in the phase or an earlier one. It does not hold for readers of chosen zones. */
  end: z.int(),
  startedAt: z.optional(z.iso.datetime()),
  soakedAt: z.optional(z.iso.datetime()),
  /** Why its gate halted the rollout. It stays where a user went on. */
  haltedBy: z.optional(z.enum(['failed', 'silent'])),
  /**
   * How many of how many readers had failed or were silent when the gate halted the rollout. Absent for callers who see only some zones, and
   * for halts from before this was stored.
   */
  haltedWith: z.optional(z.object({ count: z.int(), readers: z.int() })),
})
export type RolloutPhase = z.infer<typeof RolloutPhase>
