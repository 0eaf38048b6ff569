import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { always, findOpenTimes, isRestricted, type OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import type { WholeSchedule } from '@lectern/contract/schedule/schedule.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import type { HostCount, ZoneOverview } from '@lectern/contract/zones.ts'

export interface ZoneSummary {
  zones: number
  readers: number
  count: (model: UpdateModel) => number
  /** Returns how many readers of the model are simulated. 0 where all readers of the organization are, as the page's banner says so. */
  countSimulated: (model: UpdateModel) => number
  hosts: number
  online: number
  /** Whether some readers or host PCs of the zones are simulated. */
  simulated: boolean
  /** IANA names of the host PCs' time zones. */
  timeZones: string[]
  /** The maintenance windows and blocked days of all zones; those of `always` where zones differ. */
  openTimes: OpenTimes
  /** One for all zones with the same windows and blocked days. `timeZones`: of their host PCs. */
  clocks: { timeZones: string[]; openTimes: OpenTimes }[]
  /** How many zones have no host PC. */
  unserved: number
  /** Host PCs whose clock is wrong, by zone and clock. `least`, `most`: seconds by which they are ahead. */
  wrongClocks: { zoneId: string; hosts: number; timeZone: string; openTimes: OpenTimes; least: number; most: number }[]
  /** Zones with host PCs that are marked as on two PCs, and how many. */
  onTwoPcs: { zoneId: string; hosts: number }[]
}

const areAllSimulated = (overviews: readonly ZoneOverview[]): boolean =>
  overviews.every(({ readers }) => readers.every(({ count, simulated = 0 }) => simulated >= count))

/** Sums up zones. `overviews`: of all zones; a zone without one counts as empty. */
export function summarizeZones(overviews: readonly ZoneOverview[], zoneIds: readonly string[], schedule?: WholeSchedule): ZoneSummary {
  const byZone = new Map(overviews.map((overview) => [overview.zoneId, overview]))
  const zones = zoneIds.map((id) => ({ id, readers: byZone.get(id)?.readers ?? [], hostCounts: byZone.get(id)?.hostCounts ?? [] }))
  const readers = zones.flatMap((zone) => zone.readers)
  const hostCounts = zones.flatMap((zone) => zone.hostCounts)
  const sum = (model: UpdateModel, part: (reader: ZoneOverview['readers'][number]) => number) =>
    readers.reduce((all, reader) => all + (reader.deviceType === model ? part(reader) : 0), 0)
  const clocks = groupClocks(zones, schedule)
  return {
    zones: zones.length,
    readers: readers.reduce((sum, { count }) => sum + count, 0),
    count: (model) => sum(model, ({ count }) => count),
    countSimulated: areAllSimulated(overviews) ? () => 0 : (model) => sum(model, ({ simulated = 0 }) => simulated),
    hosts: hostCounts.reduce((all, { hosts }) => all + hosts, 0),
    online: hostCounts.reduce((all, { online }) => all + online, 0),
    simulated: [...readers, ...hostCounts].some(({ simulated }) => simulated),
    timeZones: [...new Set(hostCounts.map(({ timeZone }) => timeZone))],
    openTimes: clocks.length === 1 ? clocks[0]!.openTimes : always,
    clocks,
    unserved: zones.filter((zone) => zone.hostCounts.length === 0).length,
    wrongClocks: zones.flatMap((zone) => listWrongClocks(zone, schedule)),
    onTwoPcs: zones.flatMap(({ id, hostCounts }) => {
      const hosts = hostCounts.reduce((sum, { onTwoPcs = 0 }) => sum + onTwoPcs, 0)
      return hosts === 0 ? [] : [{ zoneId: id, hosts }]
    }),
  }
}

const listWrongClocks = ({ id, hostCounts }: { id: string; hostCounts: readonly HostCount[] }, schedule: WholeSchedule | undefined) =>
  hostCounts.flatMap(({ timeZone, wrongClocks: hosts = 0, clocksAhead: [least, most] = [0, 0] }) =>
    hosts === 0 ? [] : [{ zoneId: id, hosts, timeZone, openTimes: schedule ? findOpenTimes(schedule, id) : always, least, most }],
  )

function groupClocks(zones: readonly { id: string; hostCounts: readonly HostCount[] }[], schedule: WholeSchedule | undefined) {
  const own = new Set(schedule?.zones.map(({ zoneId }) => zoneId))
  const groups = new Map<string, { timeZones: Set<string>; openTimes: OpenTimes }>()
  for (const { id, hostCounts } of zones) {
    const key = own.has(id) ? id : ''
    const group = groups.get(key) ?? { timeZones: new Set<string>(), openTimes: schedule ? findOpenTimes(schedule, id) : always }
    for (const { timeZone } of hostCounts) group.timeZones.add(timeZone)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ timeZones, openTimes }) => ({ timeZones: [...timeZones], openTimes }))
}

/** Whether one of the zones has windows or blocked days. */
export const hasWindows = (summary: ZoneSummary | undefined): boolean =>
  summary?.clocks.some(({ openTimes }) => isRestricted(openTimes)) ?? false

/** Counts the readers of these models; undefined until the summary is known. */
export const countReaders = (summary: ZoneSummary | undefined, models: readonly UpdateModel[]): number | undefined =>
  summary && models.reduce((sum, model) => sum + summary.count(model), 0)

/** Returns the count of readers in words: "12 readers (3 simulated)"; "readers" until the summary is known. */
export function formatReaders(summary: ZoneSummary | undefined, models: readonly UpdateModel[]): string {
  const simulated = models.reduce((sum, model) => sum + (summary?.countSimulated(model) ?? 0), 0)
  return counted(countReaders(summary, models), 'reader') + (simulated > 0 ? ` (${formatNumber(simulated)} simulated)` : '')
}

export function formatInZone(summary: ZoneSummary | undefined, model: UpdateModel): string {
  if (!summary) return '…'
  const count = summary.count(model)
  return `${count === 0 ? 'None' : formatNumber(count)} in ${summary.zones === 1 ? 'zone' : 'zones'}`
}
