import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import type { Device, DeviceFilter, DevicePage, DeviceSort, DeviceTotals } from '@lectern/contract/devices/devices.ts'
import type { Database } from '../lib/database/database.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { countMatches, type DeviceRow, findMetric, matchQuery, selectDevice, selectPage, selectTotals } from './list.ts'

/** A reader as it travels; what it does not have stays away. */
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
})

/** One reader. Throws a Problem where the organization has none of this serial number. */
export async function getDevice(db: Database, organizationId: string, serialNumber: string): Promise<Device> {
  const row = await selectDevice(db, organizationId, serialNumber)
  if (!row) throw notFound('reader')
  return toDevice(row)
}

/** Totals of the tiles, and of the readers that drifted (spec §3). */
export async function deviceTotals(db: Database, organizationId: string): Promise<DeviceTotals> {
  const { all, offline, low_battery, warranty_due, drifted } = await selectTotals(db, organizationId)
  return { allDevices: all, offline, batteryHealth: low_battery, warrantyExpirations: warranty_due, drifted }
}

/** A page of readers. A filter has one metric or a text, not two metrics (spec §4). */
export async function devicePage(
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

/** Throws a Problem where a filter asks for two metrics at once. */
export function checkFilter({ onlyBadBattery, onlyOffline, onlyWarrantyExpired, onlyDrifted }: DeviceFilter): void {
  const metrics = [onlyBadBattery, onlyOffline, onlyWarrantyExpired, onlyDrifted].filter(Boolean)
  if (metrics.length > 1) throw new Problem(400, 'Filter by one of onlyBadBattery, onlyOffline, onlyWarrantyExpired and onlyDrifted.')
}
