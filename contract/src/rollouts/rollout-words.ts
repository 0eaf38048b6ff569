import type { ZoneFilter } from '../publications/publish-to-zones.ts'
import { formatNames, zonesInSentence } from '../text/names.ts'
import { counted, formatNumber } from '../text/numbers.ts'

interface ChosenZones {
  /** Absent where zones were chosen by name. */
  filter?: ZoneFilter | undefined
  /** The names of all chosen zones, in order. */
  names: readonly string[]
  /** Whether the publisher's role is limited to zones, so that further zones may match. */
  isLimited: boolean
}

const shown = 3
const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** "7 zones tagged Clinic", "All 500 zones", "4 zones by name: A, B, C and 1 more". */
export function formatChosenZones({ filter, names, isLimited }: ChosenZones): string {
  const zones = counted(names.length, 'zone')
  if (!filter) return `${zones} by name: ${formatNames(names, shown)}`
  const ofRole = isLimited ? ' of the publisher’s role' : ''
  const { tags = [], anyTag = [], search = '' } = filter
  const tagged = tags.length > 0 ? ` tagged ${formatNames(tags, shown)}` : ''
  const either = anyTag.length > 0 ? ` tagged ${formatAny(anyTag)}` : ''
  const named = search.trim() === '' ? '' : ` with “${search.trim()}” in their name`
  if (tagged || either || named) return `${zones}${ofRole}${tagged}${either}${named}`
  return `${names.length === 1 ? 'The only zone' : `All ${zones}`}${ofRole}`
}

/** "Ulm or pilot", "Ulm, pilot, Bonn or 4 more". */
function formatAny(tags: readonly string[]): string {
  const more = tags.length - shown
  return anyOf.format(more > 0 ? [...tags.slice(0, shown), `${formatNumber(more)} more`] : tags)
}

/** "3 of all 500 zones": `count` of those that the words are about. */
export const formatSomeZones = (count: number, words: string): string => `${formatNumber(count)} of ${zonesInSentence(words)}`
