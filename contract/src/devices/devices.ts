import * as z from 'zod/mini'
import { endpoint, organization } from '../http/endpoint.ts'
import { PageFacts, Paging } from '../http/paging.ts'
import { Text } from '../text/text.ts'
import { DeviceModel } from './device-models.ts'
import { DeviceHistory, HistoryQuery } from './history.ts'

/** A reader without a check-in for longer is offline (spec §9). */
export const offlineHours = 72
/** A battery below this is low (spec §9). */
export const lowBatteryPercent = 25
/** A warranty that ends within this is expiring (spec §9). */
export const warrantyMonths = 3

export const isOffline = (lastSeen: Date, now: Date): boolean => now.getTime() - lastSeen.getTime() > offlineHours * 3_600_000

export const isBatteryLow = (health: number | null): boolean => health !== null && health < lowBatteryPercent

export const Direction = z.enum(['Ascending', 'Descending'])
export type Direction = z.infer<typeof Direction>

export const DeviceColumn = z.enum([
  'DeviceType',
  'DeviceSerialNumber',
  'Location',
  'Host',
  'DeviceFirmwareVersion',
  'LastSeen',
  'BatteryHealth',
])
export type DeviceColumn = z.infer<typeof DeviceColumn>

/**
 * Spec §3. `zone`: empty where the zone was deleted. `batteryHealth`: per cent; absent for a corded reader. `drifted`: it had its desired
 * configuration and runs another. `simulated`: its host has simulated readers.
 */
export const Device = z.object({
  deviceType: DeviceModel,
  serialNumber: z.string(),
  zone: z.string(),
  host: z.optional(z.string()),
  currentConfig: z.optional(z.string()),
  currentFirmware: z.optional(z.string()),
  lastUpdatedDate: z.iso.datetime(),
  lastSeen: z.iso.datetime(),
  batteryHealth: z.optional(z.number()),
  warrantyRemaining: z.optional(z.iso.date()),
  drifted: z.optional(z.literal(true)),
  simulated: z.optional(z.literal(true)),
})
export type Device = z.infer<typeof Device>

// `removable`: no host PC reports it any more.
export const OneDevice = z.extend(Device, { removable: z.optional(z.literal(true)) })
export type OneDevice = z.infer<typeof OneDevice>

// How far a search counts: `exact` counts all, `capped` stops at `countedDevices`, `none` counts the page alone. Counting takes longer than
// finding a page.
export const DeviceCount = z.enum(['exact', 'capped', 'none'])
export type DeviceCount = z.infer<typeof DeviceCount>
export const countedDevices = 10_000

// `hasMore`: there may be more than `totalCount`; never for an exact count.
export const DevicePage = z.object({ deviceList: z.array(Device), ...PageFacts, hasMore: z.optional(z.literal(true)) })
export type DevicePage = z.infer<typeof DevicePage>

export const DeviceTotals = z.object({
  allDevices: z.int(),
  offline: z.int(),
  batteryHealth: z.int(),
  warrantyExpirations: z.int(),
  drifted: z.int(),
  simulated: z.optional(z.int()),
})
export type DeviceTotals = z.infer<typeof DeviceTotals>

/** `zones`: how many have readers of the model. `latestFirmware`: the newest that is offered; absent where the model has none. */
export const ModelTotals = z.object({
  readers: z.int(),
  simulated: z.optional(z.int()),
  zones: z.int(),
  latestFirmware: z.optional(z.string()),
  onLatest: z.optional(z.int()),
})
export type ModelTotals = z.infer<typeof ModelTotals>

export const DeviceFilter = z.object({
  textFilter: z._default(Text(200), ''),
  onlyBadBattery: z._default(z.stringbool(), false),
  onlyOffline: z._default(z.stringbool(), false),
  onlyWarrantyExpired: z._default(z.stringbool(), false),
  onlyDrifted: z._default(z.stringbool(), false),
})
export type DeviceFilter = z.infer<typeof DeviceFilter>

export const DeviceSort = z.object({
  ColumnName: z._default(DeviceColumn, 'LastSeen'),
  Direction: z._default(Direction, 'Descending'),
})
export type DeviceSort = z.infer<typeof DeviceSort>

const base = '/api/codedm/organization/{organizationId}/devices'

export const deviceEndpoints = {
  getDeviceTotals: endpoint({
    method: 'GET',
    path: `${base}/totals`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['devices'],
    summary: 'How many readers there are, and how many need attention',
    response: DeviceTotals,
  }),
  getModelTotals: endpoint({
    method: 'GET',
    path: `${base}/model/{device}/totals`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['devices'],
    summary: 'How many readers of a model there are, in how many zones, and how many run its newest firmware',
    params: z.object({ device: DeviceModel }),
    response: ModelTotals,
  }),
  listDevices: endpoint({
    method: 'GET',
    path: base,
    access: organization(),
    limitedRole: 'zones',
    shows: ['devices'],
    summary: 'A page of readers; PageNumber starts at 0',
    query: z.extend(z.extend(DeviceFilter, DeviceSort.shape), { ...Paging.shape, count: z._default(DeviceCount, 'exact') }),
    response: DevicePage,
  }),
  getDevice: endpoint({
    method: 'GET',
    path: '/api/codedm/organization/{organizationId}/device/{serialNumber}',
    access: organization(),
    limitedRole: 'zones',
    shows: ['devices'],
    summary: 'A reader',
    params: z.object({ serialNumber: Text(64) }),
    response: OneDevice,
  }),
  listDeviceEvents: endpoint({
    method: 'GET',
    path: '/api/codedm/organization/{organizationId}/device/{serialNumber}/history',
    access: organization(),
    limitedRole: 'zones',
    shows: ['devices', 'rollouts'],
    summary: 'What became of a reader, newest first: publications, failures, drift and moves',
    params: z.object({ serialNumber: Text(64) }),
    query: HistoryQuery,
    response: DeviceHistory,
  }),
  deleteDevice: endpoint({
    method: 'DELETE',
    path: '/api/codedm/organization/{organizationId}/device/{serialNumber}',
    access: organization('manage:firmware'),
    limitedRole: 'zones',
    changes: ['devices', 'rollouts', 'zones'],
    audit: 'deleteDevice',
    summary: 'Forgets a reader that no host PC reports any more, and what became of publications to it; the audit log keeps its entries',
    params: z.object({ serialNumber: Text(64) }),
  }),
  downloadDevices: endpoint({
    method: 'GET',
    path: `${base}/download`,
    access: organization(),
    limitedRole: 'zones',
    shows: [],
    summary: 'All readers of the filter, in the order of the sort, as CSV',
    query: z.extend(DeviceFilter, DeviceSort.shape),
    download: { contentType: 'text/csv; charset=utf-8' },
  }),
  downloadDevicesWorkbook: endpoint({
    method: 'GET',
    path: `${base}/workbook`,
    access: organization(),
    limitedRole: 'zones',
    shows: [],
    summary: 'All readers of the filter, in the order of the sort, as a workbook: a sheet for each 1,000,000, times in UTC',
    query: z.extend(DeviceFilter, DeviceSort.shape),
    download: { contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  }),
}
