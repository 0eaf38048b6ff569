import * as z from 'zod/mini'

// Why a reader cannot take what is published. Where several are true, the first counts.
export const reasons = ['noHost', 'silent', 'onTwoPcs', 'olderApp', 'notPossible', 'battery'] as const
export type Reason = (typeof reasons)[number]

// What would become of a reader. `missing`: its host PC no longer reports it.
export const verdicts = ['changes', 'matches', 'missing', ...reasons] as const
export type Verdict = (typeof verdicts)[number]

export interface ReaderFacts {
  isSame: boolean
  hasHost: boolean
  /** Whether its host PC is silent (RIT-05). */
  isSilent: boolean
  /** Whether its host PC runs on two PCs, so that nothing is handed out to it (decision 92). */
  isOnTwoPcs: boolean
  isMissing: boolean
  /** Whether its host PC has an older version of the app than the content needs. */
  hasOlderApp: boolean
  /** Whether no published command gives it the content (SER-01). */
  isImpossible: boolean
  /** Whether its battery is below what an update needs. */
  isBatteryLow: boolean
}

/**
 * Returns what would become of a reader. It is decided as the host agent decides: what runs already is not applied, whatever else is true.
 */
export function findVerdict(facts: ReaderFacts): Verdict {
  if (facts.isSame) return 'matches'
  if (!facts.hasHost) return 'noHost'
  if (facts.isSilent) return 'silent'
  if (facts.isOnTwoPcs) return 'onTwoPcs'
  if (facts.isMissing) return 'missing'
  if (facts.hasOlderApp) return 'olderApp'
  if (facts.isImpossible) return 'notPossible'
  return facts.isBatteryLow ? 'battery' : 'changes'
}

// How many readers there are, and how many by verdict. `toOlder`: readers of `changes` that run newer firmware than the published one.
export const DryRunCounts = z.object({
  readers: z.int(),
  changes: z.int(),
  toOlder: z.int(),
  matches: z.int(),
  missing: z.int(),
  noHost: z.int(),
  silent: z.int(),
  onTwoPcs: z.int(),
  olderApp: z.int(),
  notPossible: z.int(),
  battery: z.int(),
})
export type DryRunCounts = z.infer<typeof DryRunCounts>

/** Readers with the same facts, and how many they are. */
export interface ReaderGroup extends ReaderFacts {
  runsNewer: boolean
  readers: number
}

export function countVerdicts(groups: readonly ReaderGroup[]): DryRunCounts {
  const counts: DryRunCounts = {
    readers: 0,
    changes: 0,
    toOlder: 0,
    matches: 0,
    missing: 0,
    noHost: 0,
    silent: 0,
    onTwoPcs: 0,
    olderApp: 0,
    notPossible: 0,
    battery: 0,
  }
  for (const group of groups) {
    const verdict = findVerdict(group)
    counts.readers += group.readers
    counts[verdict] += group.readers
    if (verdict === 'changes' && group.runsNewer) counts.toOlder += group.readers
  }
  return counts
}

/** Counts readers that cannot take what is published. */
export const countCannot = (counts: DryRunCounts): number => reasons.reduce((sum, reason) => sum + counts[reason], 0)

// The oldest version of the host PC's app that applies a content, by how it is stored.
export const neededApp = { cfg: '0.1.0', file: '0.1.0', commands: '0.1.0', firmware: '0.1.0' } as const
