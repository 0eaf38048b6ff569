import type { ZoneFilter } from '@lectern/contract/publications/publish-to-zones.ts'
import { foldName } from '@lectern/contract/text/clean-name.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { type ChoosableZone, listTags, type ManyZones } from './chosen-zones.ts'

/** Which zones are picked: all, or those of the ticked tags. `added`, `left`: ids of zones that are exceptions from that by hand. */
export interface ZonePick {
  all: boolean
  tags: readonly string[]
  added: ReadonlySet<string>
  left: ReadonlySet<string>
}

type Tagged = Pick<ChoosableZone, 'id' | 'tags'>

export const noPick: ZonePick = { all: false, tags: [], added: new Set(), left: new Set() }
export const allZones: ZonePick = { ...noPick, all: true }

const sameTag = (one: string) => (other: string) => foldName(one) === foldName(other)
export const hasTag = ({ tags }: Pick<ZonePick, 'tags'>, tag: string): boolean => tags.some(sameTag(tag))

/** Returns a function that says whether "all" or a ticked tag picks a zone. */
function coverage({ all, tags }: ZonePick): (zone: Tagged) => boolean {
  const ticked = new Set(tags.map(foldName))
  return (zone) => all || zone.tags.some((tag) => ticked.has(foldName(tag)))
}

export function pickZones<Zone extends Tagged>(zones: readonly Zone[], pick: ZonePick): Zone[] {
  const isCovered = coverage(pick)
  return zones.filter((zone) => pick.added.has(zone.id) || (isCovered(zone) && !pick.left.has(zone.id)))
}

// Drops zones from `left` that no ticked tag picks any more.
function dropLeft(zones: readonly Tagged[], pick: ZonePick): ZonePick {
  if (pick.left.size === 0) return pick
  const isCovered = coverage(pick)
  return { ...pick, left: new Set(zones.filter((zone) => pick.left.has(zone.id) && isCovered(zone)).map(({ id }) => id)) }
}

export function toggleTag(zones: readonly Tagged[], pick: ZonePick, tag: string): ZonePick {
  if (!hasTag(pick, tag)) return { ...pick, tags: [...pick.tags, tag] }
  const isTag = sameTag(tag)
  return dropLeft(zones, { ...pick, tags: pick.tags.filter((each) => !isTag(each)) })
}

export function toggleZone(pick: ZonePick, zone: Tagged): ZonePick {
  const [added, left] = [new Set(pick.added), new Set(pick.left)]
  const isCovered = coverage(pick)(zone)
  if (pickZones([zone], pick).length > 0) {
    added.delete(zone.id)
    if (isCovered) left.add(zone.id)
  } else if (isCovered) left.delete(zone.id)
  else added.add(zone.id)
  return { ...pick, added, left }
}

/** Adds zones by hand. A zone that a ticked tag picks is no exception. */
export function addZones(pick: ZonePick, zones: readonly Tagged[]): ZonePick {
  const isCovered = coverage(pick)
  const left = new Set(pick.left)
  for (const { id } of zones) left.delete(id)
  return { ...pick, left, added: new Set([...pick.added, ...zones.filter((zone) => !isCovered(zone)).map(({ id }) => id)]) }
}

/** Makes a pick of zones that were chosen earlier, for the zones of now. */
export function toPick(zones: readonly Tagged[], chosen: ManyZones | undefined): ZonePick {
  if (!chosen) return noPick
  const { filter } = chosen
  const all = filter !== undefined && Object.keys(filter).length === 0
  const pick = { ...noPick, all, tags: listTags(chosen) }
  const isCovered = coverage(pick)
  const ids = new Set(chosen.zones.map(({ id }) => id))
  // With a filter, all zones of now that match it are chosen.
  const left = filter ? [] : zones.filter((zone) => isCovered(zone) && !ids.has(zone.id))
  const added = zones.filter((zone) => !isCovered(zone) && ids.has(zone.id))
  return { ...pick, added: new Set(added.map(({ id }) => id)), left: new Set(left.map(({ id }) => id)) }
}

/** Returns the filter that picks the same zones; undefined where nothing but single zones does. */
export function toFilter(zones: readonly Tagged[], pick: ZonePick): ZoneFilter | undefined {
  const { all, tags, left } = pick
  const isCovered = coverage(pick)
  if (left.size > 0 || zones.some((zone) => pick.added.has(zone.id) && !isCovered(zone))) return undefined
  if (all) return {}
  if (tags.length === 0) return undefined
  // For one tag, `tags` and `anyTag` mean the same.
  return tags.length === 1 ? { tags: [...tags] } : { anyTag: [...tags] }
}

export function toManyZones(zones: readonly ChoosableZone[], pick: ZonePick): ManyZones {
  const filter = toFilter(zones, pick)
  return {
    zones: pickZones(zones, pick).map(({ id, name }) => ({ id, name })),
    ...(filter ? { filter } : pick.tags.length > 0 && { tags: pick.tags }),
  }
}

/** Returns the exceptions in words: "2 zones left out by hand, 1 zone more by hand"; '' where there is none. */
export function formatExceptions(zones: readonly Tagged[], pick: ZonePick): string {
  if (!pick.all && pick.tags.length === 0) return ''
  const isCovered = coverage(pick)
  const [left, added] = [
    zones.filter((zone) => pick.left.has(zone.id)).length,
    zones.filter((zone) => pick.added.has(zone.id) && !isCovered(zone)).length,
  ]
  return [left > 0 && `${counted(left, 'zone')} left out by hand`, added > 0 && `${counted(added, 'zone')} more by hand`]
    .filter(Boolean)
    .join(', ')
}
