import type { Gate, Phase, RolloutPhase } from '@lectern/contract/publications/phases.ts'
import { formatNames } from '@lectern/contract/text/names.ts'
import { counted } from '@lectern/contract/text/numbers.ts'

/** `readers`: of the published models; undefined until they are known. */
interface PublishedZone {
  name: string
  readers: number | undefined
}

/** The zones that are published to, by id. */
export type PublishedZones = ReadonlyMap<string, PublishedZone>

const named = 3

/** "3 chosen zones: ICU, Lab and Ward"; of more zones only the first names. */
export function formatZones(count: number, names: readonly string[]): string {
  const chosen = counted(count, 'chosen zone')
  if (names.length === 0) return chosen
  return `${chosen}: ${formatNames(names, named, count)}`
}

const countReaders = (ids: readonly string[], zones: PublishedZones): number | undefined =>
  ids.reduce<number | undefined>((sum, id) => {
    const readers = zones.get(id)?.readers
    return sum === undefined || readers === undefined ? undefined : sum + readers
  }, 0)

/** "3 chosen zones: ICU, Lab and Ward, 40 readers". */
export function formatPhaseZones(ids: readonly string[], zones: PublishedZones): string {
  const names = ids.flatMap((id) => zones.get(id)?.name ?? [])
  const readers = countReaders(ids, zones)
  return `${formatZones(ids.length, names)}${readers === undefined ? '' : `, ${counted(readers, 'reader')}`}`
}

/** A sentence about the first fault in the phases' chosen zones; undefined where there is none. */
export function findZoneProblem(
  phases: readonly { zones?: readonly string[] | undefined }[],
  published: PublishedZones,
): string | undefined {
  if (phases.every(({ zones }) => zones === undefined)) return undefined
  const phaseOf = new Map<string, number>()
  for (const [index, { zones = [] }] of phases.entries()) {
    const number = index + 1
    const gone = zones.filter((id) => !published.has(id)).length
    if (gone > 0) return `Phase ${number} has ${counted(gone, 'zone')} to which nothing is published now. Choose its zones again.`
    for (const id of zones) {
      const before = phaseOf.get(id)
      if (before !== undefined) return `${published.get(id)!.name} is in phase ${before} and in phase ${number}. Leave it in one.`
      phaseOf.set(id, number)
    }
    if (zones.length > 0 && countReaders(zones, published) === 0)
      return `The zones of phase ${number} get no reader of this rollout. Choose others.`
  }
  const rest = [...published.keys()].filter((id) => !phaseOf.has(id))
  if (rest.length === 0) return 'All zones are in phases, so no reader is left for the last phase. Leave a zone out.'
  if (countReaders(rest, published) === 0)
    return 'The zones that are in no phase have no readers, so none is left for the last phase. Leave a zone with readers out.'
  return undefined
}

type PhasePart = Partial<Pick<RolloutPhase, 'share' | 'zones' | 'zoneNames'>>

export const formatPart = ({ share, zones, zoneNames = [] }: PhasePart): string =>
  share !== undefined ? `${share}% of the readers` : zones !== undefined ? formatZones(zones, zoneNames) : 'All other readers'

const formatSoak = (minutes: number): string => {
  if (minutes === 0) return 'When they are done'
  const hours = minutes / 60
  return `${Number.isInteger(hours) ? counted(hours, 'hour') : counted(minutes, 'minute')} after they are done`
}

export const describeGate = ({ soakMinutes, gate }: { soakMinutes: number; gate: Gate }): string =>
  gate === 'by hand'
    ? `${formatSoak(soakMinutes)}, you can begin the next phase.`
    : `${formatSoak(soakMinutes)}, the next phase begins if at most ${gate.maxSilentPercent}% are silent; else the whole rollout halts. When more than ${gate.maxFailedPercent}% have failed, it halts at once.`

export const describePhase = (phase: Phase, published: PublishedZones): string =>
  `${phase.zones ? formatPhaseZones(phase.zones, published) : formatPart({ share: phase.share })}. ${describeGate(phase)}`
