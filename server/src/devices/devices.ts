import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import {
  countedDevices,
  type Device,
  type DeviceCount,
  type DeviceFilter,
  type DevicePage,
  type DeviceSort,
  type DeviceTotals,
  isBatteryLow,
  type ModelTotals,
} from '@lectern/contract/devices/devices.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import type { ReportedDevice } from '@lectern/contract/hosts.ts'
import { configurationLabel } from '@lectern/contract/publications/publications.ts'
import { findLatestFirmware } from '../firmware/firmware.ts'
import type { Database } from '../lib/database/database.ts'
import type { Host } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import type { Exports, Streamed } from '../lib/http/serve.ts'
import { downloadFound } from './download-sql.ts'
import { countFound } from './found-sql.ts'
import type { Shown } from './order-sql.ts'
import { selectPage } from './page-sql.ts'
import {
  type Compared,
  compareReports,
  countSeenWithHost,
  insertReported,
  lockDevices,
  lockHost,
  type ReaderMarks,
  type ReportRow,
  type Reports,
  updateHostSeen,
  updateMissing,
  upsertDevices,
} from './reports-sql.ts'
import { areFew, countPlaces, hasWord, selectWords, splitWords, type Word } from './search-sql.ts'
import {
  countRunning,
  type DeviceRow,
  findMetric,
  foldDeviceCounts,
  type Metric,
  selectDevice,
  selectModelCounts,
  selectTotals,
  type Totals,
} from './sql.ts'
import { type Change, selectOrganizationsWithDue, selectOrganizationsWithHostsDue, updateDue, updateHostsDue } from './standing-sql.ts'

interface HostReport {
  timeZone: string
  agentVersion: string
  /** Null: not known. */
  driver: string | null
  simulated: boolean
}

/** Writes the readers that differ from what is stored, and when the others were seen with their host, once for all of them. */
export async function storeReports(
  db: Database,
  host: Host,
  devices: readonly ReportedDevice[],
  { timeZone, agentVersion, driver, simulated }: HostReport,
): Promise<void> {
  const bySerial = new Map(devices.map((device) => [device.serialNumber, device]))
  await lockHost(db, host)
  const marks = bySerial.size > 0 ? await storeReaders(db, { host, rows: [...bySerial.values()].map(toReportRow), simulated }) : null
  await updateHostSeen(db, host, { time_zone: timeZone, agent_version: agentVersion, driver }, marks)
}

/**
 * A reader's time is that of its host, or its own. Where the reports have most of the readers with the host's time, the others get their own from
 * before, and the host's moves on; else those in the reports get their own now. Returns the marks of those with the host's, or null where it stays.
 */
async function storeReaders(db: Database, reports: Reports): Promise<ReaderMarks | null> {
  const compared = await compareReports(db, reports)
  const here = compared.filter(({ isSeenWithHost }) => isSeenWithHost).length
  const missing = (await countSeenWithHost(db, reports.host)) - here
  const withReaders = missing <= here
  const written = compared.filter(({ isChanged, isSeenWithHost }) => isChanged || !withReaders || !isSeenWithHost)
  const mustWriteMissing = withReaders && missing > 0
  const marks = withReaders ? toMarks(compared) : null
  if (written.length === 0 && !mustWriteMissing) return marks
  if (compared.some(({ isUnknown }) => isUnknown)) await insertReported(db, reports)
  const serials = new Set(written.map(({ serialNumber }) => serialNumber))
  await lockDevices(db, reports, [...serials], mustWriteMissing)
  if (mustWriteMissing) await updateMissing(db, reports)
  const rows = reports.rows.filter(({ serial_number }) => serials.has(serial_number))
  if (rows.length > 0) await upsertDevices(db, { ...reports, rows }, !withReaders)
  return marks
}

const toMarks = (compared: readonly Compared[]): ReaderMarks => ({
  has_low_battery: compared.some(({ isBatteryLow: isLow }) => isLow),
  has_warranty_due: compared.some(({ isWarrantyDue }) => isWarrantyDue),
  has_drifted: compared.some(({ hasDrifted }) => hasDrifted),
})

const toReportRow = ({ configuration, firmware, ...report }: ReportedDevice): ReportRow => ({
  serial_number: report.serialNumber,
  device_type: report.deviceType,
  warranty_until: report.warrantyUntil,
  battery_health: report.batteryHealth,
  low_battery: isBatteryLow(report.batteryHealth),
  config_hash: configuration?.contentHash ?? null,
  config_file: configuration?.fileName ?? null,
  config_label: configuration && configurationLabel(configuration.fileName, configuration.contentHash),
  firmware,
  firmware_order: firmware && versionOrder(firmware),
  publication: report.publication ?? null,
  firmware_publication: report.firmwarePublication ?? null,
})

export const toDevice = (row: DeviceRow): Device => ({
  deviceType: row.device_type as DeviceModel,
  serialNumber: row.serial_number,
  zone: row.zone_name ?? '',
  lastUpdatedDate: row.last_updated_at.toISOString(),
  lastSeen: row.last_seen_at.toISOString(),
  ...(row.host_name === null ? {} : { host: row.host_name }),
  ...(row.current_config === null ? {} : { currentConfig: row.current_config }),
  ...(row.current_firmware === null ? {} : { currentFirmware: row.current_firmware }),
  ...(row.battery_health === null ? {} : { batteryHealth: row.battery_health }),
  ...(row.warranty_until === null ? {} : { warrantyRemaining: row.warranty_until }),
  ...(row.drifted && { drifted: true }),
  ...(row.simulated && { simulated: true }),
})

export async function getDevice(db: Database, organizationId: number, serialNumber: string): Promise<Device> {
  const row = await selectDevice(db, organizationId, serialNumber)
  if (!row) throw notFound('reader')
  return toDevice(row)
}

export async function getDeviceTotals(db: Database, organizationId: number): Promise<DeviceTotals> {
  const { all, simulated, offline, low_battery, warranty_due, drifted } = await selectTotals(db, organizationId)
  return {
    ...{ allDevices: all, offline, batteryHealth: low_battery, warrantyExpirations: warranty_due, drifted },
    ...(simulated > 0 && { simulated }),
  }
}

export async function getModelTotals(db: Database, organizationId: number, model: DeviceModel): Promise<ModelTotals> {
  const latest = await findLatestFirmware(db, model)
  const counts = await selectModelCounts(db, organizationId, model)
  if (latest === undefined) return counts
  return { ...counts, latestFirmware: latest, onLatest: await countRunning(db, organizationId, model, versionOrder(latest)) }
}

type DevicesQuery = DeviceFilter & DeviceSort & { PageNumber: number; PageSize: number; count: DeviceCount }

export async function listDevices(db: Database, organizationId: number, query: DevicesQuery): Promise<DevicePage> {
  checkFilter(query)
  const { PageNumber: pageNumber, PageSize: size } = query
  const offset = pageNumber * size
  const metric = findMetric(query)
  const totals = await selectTotals(db, organizationId)
  const all = { organizationId, metric, conditions: [] }
  const isSearch = query.textFilter.trim() !== ''
  const found: Found = isSearch ? await search(db, all, query, totals) : { shown: all, total: totals[metric ?? 'all'], isFew: false }
  const { shown, total } = found
  if (total === 0) return { deviceList: [], pageSize: size, pageNumber, totalCount: 0 }
  // Few are found and sorted; of many, those before the page are passed over in the order of the sort.
  const isFew = found.isFew || (isSearch && total * total <= (offset + size) * totals.all)
  const { ColumnName, Direction, textFilter } = query
  const list = { name: JSON.stringify([organizationId, metric, textFilter, ColumnName, Direction]), shown, sort: query }
  const rows = await selectPage(db, list, { offset, size, total, unmarked: totals.unmarked, isFew })
  const page = { deviceList: rows.map(toDevice), pageSize: size, pageNumber }
  if (total !== Number.POSITIVE_INFINITY) return { ...page, totalCount: total }
  const seen = offset + rows.length
  if (rows.length < size && (rows.length > 0 || offset === 0)) return { ...page, totalCount: seen }
  return { ...page, totalCount: query.count === 'capped' ? Math.max(countedDevices, seen) : seen, hasMore: true }
}

interface Found {
  shown: Shown
  /** Infinity where it is not known. */
  total: number
  isFew: boolean
}

async function search(db: Database, all: Shown, { textFilter, count }: DevicesQuery, totals: Totals): Promise<Found> {
  const words = await selectWords(db, all.organizationId, textFilter)
  const found = { shown: withWords(all, words), isFew: areFew(words) }
  const kept = await countKept(db, all, words, totals)
  if (kept !== undefined) return { ...found, total: kept }
  if (count === 'none' && !found.isFew) return { ...found, total: Number.POSITIVE_INFINITY }
  const most = count === 'capped' ? countedDevices + 1 : undefined
  const total = await countFound(db, found.shown, most)
  return { ...found, total: total === most ? Number.POSITIVE_INFINITY : total }
}

const withWords = (all: Shown, words: readonly Word[]): Shown => ({
  ...all,
  conditions: words.map((word) => hasWord(all.organizationId, word)),
})

async function countKept(
  db: Database,
  { organizationId, metric }: Shown,
  words: readonly Word[],
  { unmarked }: Totals,
): Promise<number | undefined> {
  const hasUnmarked: Record<Metric, boolean> = {
    offline: unmarked.offline > 0,
    warranty_due: unmarked.warranty_due > 0,
    low_battery: false,
    drifted: false,
  }
  return metric && hasUnmarked[metric] ? undefined : countPlaces(db, organizationId, words, metric ?? 'total')
}

export const downloadDevices = (exports: Exports, organizationId: number, filter: DeviceFilter, sort: DeviceSort): Promise<Streamed> => {
  checkFilter(filter)
  const all = { organizationId, metric: findMetric(filter), conditions: [] }
  return downloadFound(exports, { shown: withWords(all, splitWords(filter.textFilter)), sort })
}

/** Throws a Problem 400 where a filter has two metrics (spec §4). */
function checkFilter({ onlyBadBattery, onlyOffline, onlyWarrantyExpired, onlyDrifted }: DeviceFilter): void {
  const metrics = [onlyBadBattery, onlyOffline, onlyWarrantyExpired, onlyDrifted].filter(Boolean)
  if (metrics.length > 1) throw new Problem(400, 'Filter by one of onlyBadBattery, onlyOffline, onlyWarrantyExpired and onlyDrifted.')
}

const changes = (['offline', 'warranty_due'] as const).flatMap((mark) => [true, false].map((to): Change => ({ mark, to })))

/**
 * Marks readers that became offline, or whose warranty became due, and takes the marks of a wrong clock back; then folds the counts. Queries are
 * exact without it, as they add unmarked readers; the sweep keeps those few. Several servers may sweep at once. Returns the number of marks.
 */
export async function sweepStanding(db: Database): Promise<number> {
  let marked = 0
  const repeat = async (work: (transaction: Database) => Promise<{ marked: number; hasMore: boolean }>) => {
    for (let hasMore = true; hasMore; ) {
      const done = await db.transaction().execute(work)
      marked += done.marked
      hasMore = done.hasMore
    }
  }
  for (const change of changes)
    for (const organizationId of await selectOrganizationsWithDue(db, change))
      await repeat((transaction) => updateDue(transaction, change, organizationId))
  for (const to of [true, false])
    for (const organizationId of await selectOrganizationsWithHostsDue(db, to))
      await repeat((transaction) => updateHostsDue(transaction, to, organizationId))
  await foldDeviceCounts(db)
  return marked
}
