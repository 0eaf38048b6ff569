import type { ZoneFilter } from '@lectern/contract/publications/publish-to-zones.ts'
import { foldName } from '@lectern/contract/text/clean-name.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { type ChoosableZone, listTags, type ManyZones } from './chosen-zones.ts'

/** All zones, or those of the ticked tags. `added`, `left`: ids of exceptions by hand. */
export interface ZonePick {
  all: boolean
  tags: readonly string[]
  added: ReadonlySet<string>
  left: ReadonlySet<string>
}

type Tagged = Pick<ChoosableZone, 'id' | 'tags'>

export const noChoice: ZonePick = { all: false, tags: [], added: new Set(), left: new Set() }
export const allZones: ZonePick = { ...noChoice, all: true }

const sameTag = (one: string) => (other: string) => foldName(one) === foldName(other)
export const hasTag = ({ tags }: Pick<ZonePick, 'tags'>, tag: string): boolean => tags.some(sameTag(tag))

/** Whether a tag, or "all", chooses a zone. */
function coverage({ all, tags }: ZonePick): (zone: Tagged) => boolean {
  const ticked = new Set(tags.map(foldName))
  return (zone) => all || zone.tags.some((tag) => ticked.has(foldName(tag)))
}

export function pickZones<Zone extends Tagged>(zones: readonly Zone[], choice: ZonePick): Zone[] {
  const isCovered = coverage(choice)
  return zones.filter((zone) => choice.added.has(zone.id) || (isCovered(zone) && !choice.left.has(zone.id)))
}

// Drops exceptions that except nothing any more.
function dropLeft(zones: readonly Tagged[], choice: ZonePick): ZonePick {
  if (choice.left.size === 0) return choice
  const isCovered = coverage(choice)
  return { ...choice, left: new Set(zones.filter((zone) => choice.left.has(zone.id) && isCovered(zone)).map(({ id }) => id)) }
}

export function toggleTag(zones: readonly Tagged[], choice: ZonePick, tag: string): ZonePick {
  if (!hasTag(choice, tag)) return { ...choice, tags: [...choice.tags, tag] }
  const isTag = sameTag(tag)
  return dropLeft(zones, { ...choice, tags: choice.tags.filter((each) => !isTag(each)) })
}

export function toggleZone(choice: ZonePick, zone: Tagged): ZonePick {
  const [added, left] = [new Set(choice.added), new Set(choice.left)]
  const isCovered = coverage(choice)(zone)
  const isChosen = added.has(zone.id) || (isCovered && !left.has(zone.id))
  if (isChosen) {
    added.delete(zone.id)
    if (isCovered) left.add(zone.id)
  } else if (isCovered) left.delete(zone.id)
  else added.add(zone.id)
  return { ...choice, added, left }
}

/** Adds zones by hand. A zone that a tag chooses already is no exception. */
export function addZones(choice: ZonePick, zones: readonly Tagged[]): ZonePick {
  const isCovered = coverage(choice)
  const left = new Set(choice.left)
  for (const { id } of zones) left.delete(id)
  return { ...choice, left, added: new Set([...choice.added, ...zones.filter((zone) => !isCovered(zone)).map(({ id }) => id)]) }
}

/** Applies an earlier choice to the zones of now. */
export function toChoice(zones: readonly Tagged[], chosen: ManyZones | undefined): ZonePick {
  if (!chosen) return noChoice
  const { filter } = chosen
  const all = filter !== undefined && Object.keys(filter).length === 0
  const choice = { ...noChoice, all, tags: listTags(chosen) }
  const isCovered = coverage(choice)
  const ids = new Set(chosen.zones.map(({ id }) => id))
  // With a filter, all zones of now that match it are chosen.
  const left = filter ? [] : zones.filter((zone) => isCovered(zone) && !ids.has(zone.id))
  const added = zones.filter((zone) => !isCovered(zone) && ids.has(zone.id))
  return { ...choice, added: new Set(added.map(({ id }) => id)), left: new Set(left.map(({ id }) => id)) }
}

/** The filter for the same choice; undefined where exceptions make it a choice of single zones. */
export function toFilter(zones: readonly Tagged[], choice: ZonePick): ZoneFilter | undefined {
  const { all, tags, left } = choice
  const isCovered = coverage(choice)
  if (left.size > 0 || zones.some((zone) => choice.added.has(zone.id) && !isCovered(zone))) return undefined
  if (all) return {}
  if (tags.length === 0) return undefined
  return tags.length === 1 ? { tags: [...tags] } : { anyTag: [...tags] }
}

export function toManyZones(zones: readonly ChoosableZone[], choice: ZonePick): ManyZones {
  const filter = toFilter(zones, choice)
  return {
    zones: pickZones(zones, choice).map(({ id, name }) => ({ id, name })),
    ...(filter ? { filter } : choice.tags.length > 0 && { tags: choice.tags }),
  }
}

/** "2 zones left out by hand, 1 zone more by hand"; '' where there is no exception from tags. */
export function formatExceptions(zones: readonly Tagged[], choice: ZonePick): string {
  if (!choice.all && choice.tags.length === 0) return ''
  const isCovered = coverage(choice)
  const [left, added] = [
    zones.filter((zone) => choice.left.has(zone.id)).length,
    zones.filter((zone) => choice.added.has(zone.id) && !isCovered(zone)).length,
  ]
  return [left > 0 && `${counted(left, 'zone')} left out by hand`, added > 0 && `${counted(added, 'zone')} more by hand`]
    .filter(Boolean)
    .join(', ')
}
