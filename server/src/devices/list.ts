import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import {
  countedDevices,
  type Device,
  type DeviceCount,
  type DeviceFilter,
  type DevicePage,
  type DeviceSort,
} from '@lectern/contract/devices/devices.ts'
import type { Database } from '../lib/database/database.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import type { Exports, Streamed } from '../lib/http/serve.ts'
import { downloadFound } from './download-sql.ts'
import { countFound } from './found-sql.ts'
import type { Shown } from './order-sql.ts'
import { selectPage } from './page-sql.ts'
import { areFew, countPlaces, hasWord, selectWords, splitWords, type Word } from './search-sql.ts'
import { type DeviceRow, findMetric, type Metric, selectDevice, selectTotals, type Totals } from './sql.ts'

const toDevice = (row: DeviceRow): Device => ({
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
