import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import {
  type Device,
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
import { uuidv7 } from 'uuidv7'
import { findLatestFirmware } from '../firmware/firmware.ts'
import type { Database } from '../lib/database/database.ts'
import type { Host } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { type ReportRow, upsertDeviceStates, upsertDevices } from './reports-sql.ts'
import {
  countMatches,
  countRunning,
  type DeviceRow,
  findMetric,
  matchQuery,
  selectDevice,
  selectModelCounts,
  selectPage,
  selectTotals,
} from './sql.ts'
import { type Due, selectOrganizationsWithDue, updateDue } from './standing-sql.ts'

export async function storeReports(
  db: Database,
  host: Host,
  reports: readonly ReportedDevice[],
  { simulated }: { simulated: boolean },
): Promise<void> {
  const bySerial = new Map(reports.map((report) => [report.serialNumber, report]))
  if (bySerial.size === 0) return
  // In one order everywhere, so that two hosts reporting the same readers wait for each other instead of deadlocking.
  const rows = [...bySerial.values()].sort((a, b) => (a.serialNumber < b.serialNumber ? -1 : 1)).map(toReportRow)
  await upsertDevices(db, { ...host, simulated }, rows)
  await upsertDeviceStates(db, host.organizationId, rows)
}

const toReportRow = ({ configuration, firmware, ...report }: ReportedDevice): ReportRow => ({
  id: uuidv7(),
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

export async function getDevice(db: Database, organizationId: string, serialNumber: string): Promise<Device> {
  const row = await selectDevice(db, organizationId, serialNumber)
  if (!row) throw notFound('reader')
  return toDevice(row)
}

export async function getDeviceTotals(db: Database, organizationId: string): Promise<DeviceTotals> {
  const { all, simulated, offline, low_battery, warranty_due, drifted } = await selectTotals(db, organizationId)
  return {
    ...{ allDevices: all, offline, batteryHealth: low_battery, warrantyExpirations: warranty_due, drifted },
    ...(simulated > 0 && { simulated }),
  }
}

export async function getModelTotals(db: Database, organizationId: string, model: DeviceModel): Promise<ModelTotals> {
  const latest = await findLatestFirmware(db, model)
  const counts = await selectModelCounts(db, organizationId, model)
  if (latest === undefined) return counts
  return { ...counts, latestFirmware: latest, onLatest: await countRunning(db, organizationId, model, versionOrder(latest)) }
}

export async function listDevices(
  db: Database,
  organizationId: string,
  query: DeviceFilter & DeviceSort & { PageNumber: number; PageSize: number },
): Promise<DevicePage> {
  checkFilter(query)
  const { PageNumber: pageNumber, PageSize: size } = query
  const offset = pageNumber * size
  let total: number
  let rows: DeviceRow[]
  if (query.textFilter.trim() === '') {
    const metric = findMetric(query)
    const totals = await selectTotals(db, organizationId)
    total = totals[metric ?? 'all']
    rows = await selectPage(db, organizationId, metric, query, { offset, size, totals })
  } else {
    total = await countMatches(db, organizationId, query)
    rows = (await matchQuery(organizationId, query, query, { offset, size }).execute(db)).rows
  }
  return { deviceList: rows.map(toDevice), pageSize: size, pageNumber, totalCount: total }
}

/** Throws a Problem 400 where a filter has two metrics (spec §4). */
export function checkFilter({ onlyBadBattery, onlyOffline, onlyWarrantyExpired, onlyDrifted }: DeviceFilter): void {
  const metrics = [onlyBadBattery, onlyOffline, onlyWarrantyExpired, onlyDrifted].filter(Boolean)
  if (metrics.length > 1) throw new Problem(400, 'Filter by one of onlyBadBattery, onlyOffline, onlyWarrantyExpired and onlyDrifted.')
}

/**
 * Marks readers that became offline, or whose warranty became due, one transaction per organization. Queries are exact without it, as they add
 * unmarked readers; the sweep keeps those few. Several servers may sweep at once. Returns the number of marks.
 */
export async function sweepStanding(db: Database): Promise<number> {
  let marked = 0
  for (const due of ['offline', 'warranty_due'] satisfies Due[])
    for (const organizationId of await selectOrganizationsWithDue(db, due))
      marked += await db.transaction().execute((transaction) => updateDue(transaction, due, organizationId))
  return marked
}
