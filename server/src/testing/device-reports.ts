import type { DeviceRecord } from '@lectern/contract/device-log.ts'
import { frequentModels, graphDays } from '@lectern/contract/graphs.ts'

const dayMs = 86_400_000
const toDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** `at`: milliseconds. */
export interface KnownReport {
  deviceId: string
  at: number
  model: string
  os: string | null
  location: DeviceRecord['location']
  decodes: number
}

export interface Known {
  organizationId: string
  reports: KnownReport[]
  licensed: string[]
}

const isGreater = (a: readonly (string | number)[], b: readonly (string | number)[]): boolean => {
  const at = a.findIndex((one, index) => one !== b[index])
  return at >= 0 && a[at]! > b[at]!
}
const rank = ({ at, model, os, location }: KnownReport) =>
  [at, model, os ?? '', location?.city ?? '', location?.latitude ?? 0, location?.longitude ?? 0] as const

/** The latest report of each device within 365 days. */
export function findLatestReports(reports: readonly KnownReport[], now = Date.now()): Map<string, KnownReport> {
  const latest = new Map<string, KnownReport>()
  for (const report of reports) {
    const known = latest.get(report.deviceId)
    if (report.at >= firstInstant(now) && (!known || isGreater(rank(report), rank(known)))) latest.set(report.deviceId, report)
  }
  return latest
}

const firstInstant = (now: number) => Date.parse(toDay(now)) - (graphDays - 1) * dayMs

function largest(values: readonly string[], limit: number): [string, number][] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, limit)
}

/** The five graphs, computed from every report. */
export function computeGraphs(places: readonly Known[], now = Date.now()) {
  const days = Array.from({ length: graphDays }, (_, number) => toDay(firstInstant(now) + number * dayMs))
  const seen = new Map(days.map((day) => [day, new Set<string>()]))
  const latest: KnownReport[] = []
  let [total, usingDecode] = [0, 0]
  for (const { organizationId, reports, licensed } of places) {
    for (const { deviceId, at } of reports) seen.get(toDay(at))?.add(`${organizationId} ${deviceId}`)
    latest.push(...findLatestReports(reports, now).values())
    const users = new Set(reports.filter(({ decodes, at }) => decodes > 0 && at >= firstInstant(now)).map(({ deviceId }) => deviceId))
    total += licensed.length
    usingDecode += licensed.filter((serial) => users.has(serial)).length
  }
  const cities = latest.flatMap(({ location }) => (location ? [location] : []))
  const where = (city: string) => {
    const [x, y, z] = cities.filter((one) => one.city === city).reduce(addVector, [0, 0, 0])
    const degrees = 180 / Math.PI
    return { latitude: Math.atan2(z, Math.hypot(x, y)) * degrees, longitude: Math.atan2(y, x) * degrees }
  }
  const chart = (values: string[], limit: number) => {
    const counts = largest(values, limit)
    return { labels: counts.map(([name]) => name), datasets: [{ label: 'Devices', data: counts.map(([, count]) => count) }] }
  }
  return {
    byTime: { datasets: [{ label: 'Devices', data: days.map((day) => ({ x: day, y: seen.get(day)!.size })) }] },
    models: chart(
      latest.map(({ model }) => model),
      frequentModels,
    ),
    byOs: chart(
      latest.flatMap(({ os }) => (os === null ? [] : [os])),
      400,
    ),
    byLocation: largest(
      cities.map(({ city }) => city),
      400,
    ).map(([city, value]) => ({ city, value, ...where(city) })),
    licences: { total, usingDecode },
  }
}

function addVector(
  [x, y, z]: [number, number, number],
  { latitude, longitude }: { latitude: number; longitude: number },
): [number, number, number] {
  const [lat, lon] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180]
  return [x + Math.cos(lat) * Math.cos(lon), y + Math.cos(lat) * Math.sin(lon), z + Math.sin(lat)]
}
