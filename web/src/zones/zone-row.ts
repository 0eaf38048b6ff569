import { formatNumber } from '@lectern/contract/text/numbers.ts'
import type { Zone, ZoneHost, ZoneOverview } from '@lectern/contract/zones.ts'

/** What stands in the zones: known, or why it is not. */
export type Overview = readonly ZoneOverview[] | 'loading' | 'error'

/** A zone as the list shows it. */
export interface ZoneRow extends Zone {
  /** While it is not `known`, there are no readers, models and hosts here. */
  overview: 'known' | 'loading' | 'error'
  readers: number
  /** Models of its readers, the most frequent first. */
  models: string[]
  hosts: ZoneHost[]
  /** Created on this page just now. */
  isNew: boolean
}

/**
 * Joins zones with what stands in them; a zone that the overview does not name has nothing yet. The one created just now stands
 * first, or it might be out of sight.
 */
export function zoneRows(zones: readonly Zone[], overview: Overview, created?: string): ZoneRow[] {
  const known = typeof overview === 'string' ? [] : overview
  const byZone = new Map(known.map((each) => [each.zoneId, each]))
  const rows = zones.map((zone) => {
    const { readers = [], hosts = [] } = byZone.get(zone.id) ?? {}
    return {
      ...zone,
      overview: typeof overview === 'string' ? overview : ('known' as const),
      readers: readers.reduce((sum, { count }) => sum + count, 0),
      models: readers.toSorted((a, b) => b.count - a.count).map(({ deviceType }) => deviceType),
      hosts,
      isNew: zone.id === created,
    }
  })
  return rows.sort((a, b) => Number(b.isNew) - Number(a.isNew))
}

/** Whether a zone's name or id has the text somewhere, in any case. */
export function matchesZone(zone: Zone, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return zone.name.toLowerCase().includes(wanted) || zone.id.includes(wanted)
}

const named = 3

/** The models as a phrase: "CR2700, A271/2, V4500 and 3 more". */
export function modelsPhrase(models: readonly string[]): string {
  const more = models.length - named
  return more > 0 ? `${models.slice(0, named).join(', ')} and ${more} more` : models.join(', ')
}

/** What deleting a zone does to its readers. */
export function deletionConsequence({ overview, readers }: Pick<ZoneRow, 'overview' | 'readers'>): string {
  if (overview !== 'known') return 'Its readers stop receiving updates.'
  if (readers === 0) return 'It has no readers.'
  return readers === 1 ? 'Its reader stops receiving updates.' : `Its ${formatNumber(readers)} readers stop receiving updates.`
}

const shortLength = 60

/** A zone's name where there is little room. Names may take some 900 bytes. */
export function shortName(name: string): string {
  const characters = [...new Intl.Segmenter().segment(name)]
  if (characters.length <= shortLength) return name
  return `${name.slice(0, characters[shortLength - 1]?.index).trimEnd()}…`
}
