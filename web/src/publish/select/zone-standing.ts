import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import type { ZoneOverview } from '@lectern/contract/zones.ts'

/** What stands in a zone, as the wizard shows it. `of` is the number of readers of a model. */
export type ZoneStanding = {
  readers: number
  of: (model: UpdateModel) => number
  hosts: number
  online: number
  /** IANA names of the host PCs' time zones. */
  timeZones: string[]
}

/** The standing of a zone; one that the overviews do not name has no readers and no host PCs. */
export function zoneStanding(overviews: readonly ZoneOverview[], zoneId: string): ZoneStanding {
  const { readers, hosts } = overviews.find((overview) => overview.zoneId === zoneId) ?? { readers: [], hosts: [] }
  return {
    readers: readers.reduce((sum, { count }) => sum + count, 0),
    of: (model) => readers.find(({ deviceType }) => deviceType === model)?.count ?? 0,
    hosts: hosts.length,
    online: hosts.filter(({ isOnline }) => isOnline).length,
    timeZones: hosts.map(({ timeZone }) => timeZone),
  }
}

/** Readers of some models together; undefined while the standing is not known. */
export const countReaders = (standing: ZoneStanding | undefined, models: readonly UpdateModel[]): number | undefined =>
  standing && models.reduce((sum, model) => sum + standing.of(model), 0)

/** How many of a model stand in the zone, for its tile. */
export function inZone(standing: ZoneStanding | undefined, model: UpdateModel): string {
  if (!standing) return '…'
  const count = standing.of(model)
  return count === 0 ? 'None in zone' : `${formatNumber(count)} in zone`
}

/** Models as a phrase: "CR2700, A271/2 and CR5200". */
export const modelList = (models: readonly string[]): string => new Intl.ListFormat('en-GB').format(models)
