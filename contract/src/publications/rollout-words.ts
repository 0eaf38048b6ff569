import { formatNames, zonesInSentence } from '../text/names.ts'
import { counted, formatNumber } from '../text/numbers.ts'
import type { ZoneFilter } from './publish-to-zones.ts'

interface ChosenZones {
  /** Absent where they were chosen by name. */
  filter?: ZoneFilter | undefined
  /** Of all of them, in order. */
  names: readonly string[]
  /** Whether the publisher's role is limited to zones: there may be others that match. */
  isLimited: boolean
}

const shown = 3
const tagList = new Intl.ListFormat('en-GB')

/** "7 zones tagged Clinic", "All 500 zones", "4 zones by name: A, B, C and 1 more". */
export function formatChosenZones({ filter, names, isLimited }: ChosenZones): string {
  const zones = counted(names.length, 'zone')
  if (!filter) return `${zones} by name: ${formatNames(names, shown)}`
  const ofRole = isLimited ? ' of the publisher’s role' : ''
  const { tags = [], search = '' } = filter
  const tagged = tags.length > 0 ? ` tagged ${tagList.format(tags)}` : ''
  const named = search.trim() === '' ? '' : ` with “${search.trim()}” in their name`
  if (tagged || named) return `${zones}${ofRole}${tagged}${named}`
  return `${names.length === 1 ? 'The only zone' : `All ${zones}`}${ofRole}`
}

/** "3 of all 500 zones": as many of those that the words are about. */
export const formatSomeZones = (count: number, words: string): string => `${formatNumber(count)} of ${zonesInSentence(words)}`
