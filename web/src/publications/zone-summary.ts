import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { always, type OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { findOpenTimes, type WholeSchedule } from '@lectern/contract/schedule/schedule.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import type { ZoneOverview } from '@lectern/contract/zones.ts'

export interface ZoneSummary {
  readers: number
  count: (model: UpdateModel) => number
  countSimulated: (model: UpdateModel) => number
  hosts: number
  online: number
  /** Some of its readers or host PCs do not exist. */
  simulated: boolean
  /** IANA names of the host PCs' time zones. */
  timeZones: string[]
  /** Its maintenance windows and blocked days. */
  openTimes: OpenTimes
}

/** A zone that the overviews do not have is empty. */
export function summarizeZone(overviews: readonly ZoneOverview[], zoneId: string, schedule?: WholeSchedule): ZoneSummary {
  const { readers, hosts } = overviews.find((overview) => overview.zoneId === zoneId) ?? { readers: [], hosts: [] }
  const find = (model: UpdateModel) => readers.find(({ deviceType }) => deviceType === model)
  return {
    readers: readers.reduce((sum, { count }) => sum + count, 0),
    count: (model) => find(model)?.count ?? 0,
    countSimulated: (model) => find(model)?.simulated ?? 0,
    hosts: hosts.length,
    online: hosts.filter(({ isOnline }) => isOnline).length,
    simulated: [...readers, ...hosts].some(({ simulated }) => simulated),
    timeZones: hosts.map(({ timeZone }) => timeZone),
    openTimes: schedule ? findOpenTimes(schedule, zoneId) : always,
  }
}

/** The readers of all models together; undefined until the summary is known. */
export const countReaders = (summary: ZoneSummary | undefined, models: readonly UpdateModel[]): number | undefined =>
  summary && models.reduce((sum, model) => sum + summary.count(model), 0)

/** "12 readers (3 simulated)"; "readers" until the summary is known. */
export function formatReaders(summary: ZoneSummary | undefined, models: readonly UpdateModel[]): string {
  const simulated = models.reduce((sum, model) => sum + (summary?.countSimulated(model) ?? 0), 0)
  return counted(countReaders(summary, models), 'reader') + (simulated > 0 ? ` (${formatNumber(simulated)} simulated)` : '')
}

export function formatInZone(summary: ZoneSummary | undefined, model: UpdateModel): string {
  if (!summary) return '…'
  const count = summary.count(model)
  return count === 0 ? 'None in zone' : `${formatNumber(count)} in zone`
}

/** "CR2700, A271/2 and CR5200". */
export const formatModels = (models: readonly string[]): string => new Intl.ListFormat('en-GB').format(models)
