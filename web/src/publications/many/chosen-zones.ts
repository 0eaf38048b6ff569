import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { updateModels } from '@lectern/contract/devices/device-models.ts'
import type { ZoneFilter } from '@lectern/contract/publications/publish-to-zones.ts'
import { foldName } from '@lectern/contract/text/clean-name.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import type { ZoneSelection } from '@lectern/contract/zones.ts'

export interface NamedZone {
  id: string
  name: string
}

/**
 * Chosen zones. `filter`: given where exactly the zones that match it are chosen. `tags`: the ticked tags, where zones are exceptions from
 * these.
 */
export interface ManyZones {
  zones: readonly NamedZone[]
  filter?: ZoneFilter
  tags?: readonly string[]
}

/** Returns the tags that were ticked. */
export const listTags = ({ filter, tags }: ManyZones): readonly string[] => tags ?? filter?.anyTag ?? filter?.tags ?? []

/** A zone in the chooser. `byModel`: its readers, by model. */
export interface ChoosableZone extends NamedZone {
  tags: readonly string[]
  readers: number
  byModel: ReadonlyMap<string, number>
  hasHost: boolean
}

// The same list at each render, while zones are loaded.
export const noZones: readonly ChoosableZone[] = []

const addUp = (byModel: ReadonlyMap<string, number>): number => [...byModel.values()].reduce((sum, count) => sum + count, 0)

export const toChoosable = ({ tags, models, zones }: ZoneSelection): ChoosableZone[] =>
  zones.map(([id, name, tagPlaces, counts, hasHost]) => {
    const byModel = new Map<string, number>()
    for (let place = 0; place < counts.length; place += 2) byModel.set(models[counts[place]!]!, counts[place + 1]!)
    return { id, name, tags: tagPlaces.map((place) => tags[place]!), readers: addUp(byModel), byModel, hasHost }
  })

/** Restricts a choice to some zones, and to their readers of some models. */
export interface Among {
  zones: ReadonlySet<string>
  models: readonly UpdateModel[]
}

export const pickAmong = (zones: readonly ChoosableZone[], among: Among | undefined): readonly ChoosableZone[] =>
  !among
    ? zones
    : zones
        .filter(({ id }) => among.zones.has(id))
        .map((zone) => {
          const byModel = new Map([...zone.byModel].filter(([model]) => among.models.some((one) => one === model)))
          return { ...zone, byModel, readers: addUp(byModel) }
        })

/** Returns the zones' tags, with how many zones have each. */
export function countTags(zones: readonly ChoosableZone[]): { tag: string; zones: number }[] {
  const counts = new Map<string, number>()
  for (const { tags } of zones) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].map(([tag, count]) => ({ tag, zones: count }))
}

const lower = (tags: readonly string[] = []) => tags.map(foldName)

/** Returns the zones that match, as the server does: by name, all of `tags`, and one of `anyTag`, without case. */
export function matchZones<Zone extends { name: string; tags?: readonly string[] | undefined }>(
  zones: readonly Zone[],
  { search = '', tags, anyTag }: ZoneFilter,
): Zone[] {
  const part = foldName(search)
  const sought = lower(tags)
  const accepted = anyTag && new Set(lower(anyTag))
  return zones.filter(({ name, tags: own }) => {
    if (part !== '' && !foldName(name).includes(part)) return false
    if (sought.length > 0 && !sought.every((tag) => lower(own).includes(tag))) return false
    return !accepted || lower(own).some((tag) => accepted.has(tag))
  })
}

/**
 * Returns how the zones of `now` differ from the chosen ones; null where they do not. `gone`: chosen zones that are not found any more.
 * `added`: zones that match the filter since.
 */
export function findChanges({ zones, filter }: ManyZones, now: readonly (NamedZone & { tags?: readonly string[] | undefined })[]) {
  const chosen = new Set(zones.map(({ id }) => id))
  const there = filter ? matchZones(now, filter) : now.filter(({ id }) => chosen.has(id))
  const found = new Set(there.map(({ id }) => id))
  const gone = zones.filter(({ id }) => !found.has(id))
  const added = there.filter(({ id }) => !chosen.has(id))
  return gone.length + added.length === 0 ? null : { gone, added, now: there.map(({ id, name }) => ({ id, name })) }
}

/** Counts the zones' readers by model, in the order of the wizards, without models that have none. */
export function countByModel(zones: readonly ChoosableZone[]): [model: UpdateModel, readers: number][] {
  const sums = new Map<string, number>()
  for (const { byModel } of zones) for (const [model, count] of byModel) sums.set(model, (sums.get(model) ?? 0) + count)
  return updateModels.flatMap((model) => (sums.has(model) ? [[model, sums.get(model)!]] : []))
}

/** Returns the zones in words: "3 zones, 40 readers: CR2700 30, CR1500 10". */
export function formatChosen(zones: readonly ChoosableZone[]): string {
  const readers = zones.reduce((sum, zone) => sum + zone.readers, 0)
  const models = countByModel(zones).map(([model, count]) => `${model} ${formatNumber(count)}`)
  return `${counted(zones.length, 'zone')}, ${counted(readers, 'reader')}${models.length > 0 ? `: ${models.join(', ')}` : ''}`
}
