import { combineStates, type RolloutCounts, type RolloutPart, type RolloutState, sumOfCounts } from '@lectern/contract/rollouts/rollouts.ts'

export type Grouping = 'zone' | 'model'

export interface RolloutGroup {
  key: string
  name: string
  state: RolloutState
  phaseWaitedFor?: number | undefined
  counts: RolloutCounts
  withdrawn?: true
  parts: RolloutPart[]
}

export function groupParts(parts: readonly RolloutPart[], by: Grouping): RolloutGroup[] {
  const groups = Map.groupBy(parts, (part) => (by === 'zone' ? (part.zoneId ?? part.zone) : part.deviceType))
  return [...groups].map(([key, parts]) => ({
    key,
    name: by === 'zone' ? parts[0]!.zone : key,
    ...combineStates(parts),
    counts: sumOfCounts(parts.map(({ counts }) => counts)),
    ...(parts.every(({ withdrawn }) => withdrawn) && { withdrawn: true as const }),
    parts,
  }))
}

/** The model or zone; with the content where the group has several parts of that name. */
export function formatPartName(part: RolloutPart, { parts }: RolloutGroup, by: Grouping): string {
  const name = by === 'zone' ? part.deviceType : part.zone
  const hasTwin = parts.some((other) => other !== part && (by === 'zone' ? other.deviceType : other.zone) === name)
  return hasTwin ? `${name}, ${part.content.name}` : name
}
