import { foldName } from '@lectern/contract/text/clean-name.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import type { Zone, ZoneOverview } from '@lectern/contract/zones.ts'

type Overview = readonly ZoneOverview[] | 'loading' | 'error'

export interface ZoneRow extends Zone {
  /** Readers, models and host PCs are there only where it is `known`. */
  overview: 'known' | 'loading' | 'error'
  readers: number
  /** How many of its readers are simulated. */
  simulated: number
  /** The most frequent first. */
  models: string[]
  /** All host PCs, and those that are online. */
  hosts: number
  online: number
  hasSimulatedHost: boolean
  hasWrongClock: boolean
  hasHostOnTwoPcs: boolean
  /** Readers of other models at its host PCs, which `readers` does not count. */
  otherReaders: number
  isNew: boolean
}

/** Joins zones and their overviews. The zone with the id `created` comes first where it is among them. */
export function toZoneRows(zones: readonly Zone[], overview: Overview, created?: string): ZoneRow[] {
  const known = typeof overview === 'string' ? [] : overview
  const byZone = new Map(known.map((each) => [each.zoneId, each]))
  const rows = zones.map((zone) => {
    const { readers = [], hostCounts = [] } = byZone.get(zone.id) ?? {}
    return {
      ...zone,
      overview: typeof overview === 'string' ? overview : ('known' as const),
      readers: readers.reduce((sum, { count }) => sum + count, 0),
      simulated: readers.reduce((sum, { simulated = 0 }) => sum + simulated, 0),
      models: readers.toSorted((a, b) => b.count - a.count).map(({ deviceType }) => deviceType),
      hosts: hostCounts.reduce((sum, { hosts }) => sum + hosts, 0),
      online: hostCounts.reduce((sum, { online }) => sum + online, 0),
      hasSimulatedHost: hostCounts.some(({ simulated }) => simulated),
      hasHostOnTwoPcs: hostCounts.some(({ onTwoPcs = 0 }) => onTwoPcs > 0),
      hasWrongClock: hostCounts.some(({ wrongClocks = 0 }) => wrongClocks > 0),
      otherReaders: hostCounts.reduce((sum, { otherReaders = 0 }) => sum + otherReaders, 0),
      isNew: zone.id === created,
    }
  })
  return rows.sort((a, b) => Number(b.isNew) - Number(a.isNew))
}

export function matchesZone(zone: Zone, text: string, tag = ''): boolean {
  const part = foldName(text)
  if (tag !== '' && !zone.tags?.some((own) => foldName(own) === foldName(tag))) return false
  return foldName(zone.name).includes(part) || zone.id.includes(part)
}

export function deletionConsequence({ overview, readers }: Pick<ZoneRow, 'overview' | 'readers'>): string {
  if (overview !== 'known') return 'Its readers stop receiving updates.'
  if (readers === 0) return 'It has no readers.'
  return readers === 1 ? 'Its reader stops receiving updates.' : `Its ${formatNumber(readers)} readers stop receiving updates.`
}

const shortLength = 60

/** Shortens a zone's name, which may have 900 bytes, for narrow places. */
export function shortenName(name: string): string {
  const characters = [...new Intl.Segmenter().segment(name)]
  if (characters.length <= shortLength) return name
  return `${name.slice(0, characters[shortLength - 1]?.index).trimEnd()}…`
}
