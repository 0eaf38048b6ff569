import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import {
  countedDevices,
  type Device,
  type DeviceCount,
  type DeviceFilter,
  type DevicePage,
  type DeviceSort,
  type OneDevice,
} from '@lectern/contract/devices/devices.ts'
import { recordChange } from '../audit/audit.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import { wholeOrganization, type ZoneScope } from '../lib/database/zone-scope.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import type { Exports, Streamed } from '../lib/http/serve.ts'
import type { Workbooks } from '../lib/workbook/workbooks.ts'
import { downloadFound, downloadFoundWorkbook } from './download-sql.ts'
import { countFound, selectFew } from './found-sql.ts'
import { type Shown, toShown } from './order-sql.ts'
import { selectPage } from './page-sql.ts'
import {
  areCounted,
  areIndexed,
  areUncounted,
  countPlaces,
  hasWord,
  listSerials,
  selectWords,
  splitWords,
  type Word,
} from './search-sql.ts'
import { type DeviceRow, deleteDeviceRow, findMetric, selectDevice, selectTileTotals, type TileTotals } from './sql.ts'

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

export async function getDevice(db: Database, scope: ZoneScope, serialNumber: string): Promise<OneDevice> {
  const row = await selectDevice(db, scope, serialNumber)
  if (!row) throw notFound('reader')
  return { ...toDevice(row), ...(!row.is_reported && { removable: true as const }) }
}

/** Throws a Problem 409 while a host PC still reports the reader. */
export async function deleteDevice(db: Database, actor: Actor, scope: ZoneScope, serialNumber: string): Promise<void> {
  const { organizationId } = scope
  const row = await selectDevice(db, scope, serialNumber, { locks: true })
  if (!row) throw notFound('reader')
  if (row.is_reported)
    throw new Problem(409, `${row.host_name} still reports this reader. Unplug it and wait for the next check-in, or remove the host PC.`)
  await recordChange(db, actor, {
    organization_id: organizationId,
    change_type: 'deleteDevice',
    target: row.device_type,
    device_serial: serialNumber,
    zone_name: row.zone_name,
  })
  await deleteDeviceRow(db, organizationId, serialNumber)
}

type DevicesQuery = DeviceFilter & DeviceSort & { PageNumber: number; PageSize: number; count: DeviceCount }

// So many readers are on some 2,000 pages of the table. In a larger organization a search stops counting (FAI-06).
const mostReadForSearch = 100_000
const readersCountedAmong = 20_000
// A search is rareMatches where fewer than so many have its words among `readersCountedAmong` readers.
const rareMatches = 100

// Pages up to this size use a kept plan. For longer ones making a plan costs little, and another plan is better.
const mostWithKeptPlan = 25

/** @param lists the database whose connections keep the plans of first pages */
export async function listDevices(db: Database, scope: ZoneScope, query: DevicesQuery, lists: Database | null = null): Promise<DevicePage> {
  checkFilter(query)
  const { PageNumber: pageNumber, PageSize: size } = query
  const offset = pageNumber * size
  const metric = findMetric(query)
  const { organizationId, zones } = scope
  const totals = await selectTileTotals(db, scope, metric)
  const all = toShown(scope, metric)
  const words = query.textFilter.trim() === '' ? [] : await selectWords(db, organizationId, query.textFilter)
  const { ColumnName, Direction, textFilter } = query
  const shown = withWords(all, words)
  const list = { name: { organizationId, text: JSON.stringify([zones, metric, textFilter, ColumnName, Direction]) }, shown, sort: query }
  // Up to so many found readers are sorted. Where more are found, those before the page are passed over in the order of the sort: what an
  // index finds, such as beginnings of serial numbers, may all be at its end.
  const readers = zones === null ? totals.all : (await selectTileTotals(db, wholeOrganization(organizationId), undefined)).all
  const mostSorted = Math.max(areIndexed(words) ? 1_500 : 0, Math.floor(Math.sqrt((offset + size) * readers)))
  const isSmall = readers <= mostReadForSearch
  const page = { deviceList: [] as Device[], pageSize: size, pageNumber }
  const few = areIndexed(words) && offset === 0 ? await selectFew(db, list, { size, most: mostSorted }) : undefined
  if (few) return { ...page, deviceList: few.rows.map(toDevice), totalCount: few.total }
  const { total, atLeast } = await countList(db, shown, words, { ...query, totals, mostSorted, isSmall })
  if (total === 0) return { ...page, totalCount: 0 }
  // Few found among so many: there are few in all, or the sort's order would have to be read far. An index of serial numbers may list them
  // instead.
  const isRare = !isSmall && offset === 0 && total === Number.POSITIVE_INFINITY && query.count !== 'none' && atLeast < rareMatches
  const listed = isRare ? await listSerials(db, organizationId, words, mostSorted) : undefined
  const fewListed = listed && (await selectFew(db, { ...list, shown: withWords(all, listed) }, { size, most: mostSorted }))
  if (fewListed) return { ...page, deviceList: fewListed.rows.map(toDevice), totalCount: fewListed.total }
  const isFew = (words.length > 0 || zones !== null) && total <= mostSorted
  const keeper = words.length === 0 && zones === null && offset === 0 && size <= mostWithKeptPlan ? lists : null
  const rows = await selectPage(db, list, {
    offset,
    size,
    total,
    unmarked: totals.unmarked,
    isFew,
    keeper,
    shownInAll: totals.shown,
    isSmall,
  })
  page.deviceList = rows.map(toDevice)
  if (total !== Number.POSITIVE_INFINITY) return { ...page, totalCount: total }
  const seen = offset + rows.length
  if (rows.length < size && (rows.length > 0 || offset === 0)) return { ...page, totalCount: seen }
  return { ...page, totalCount: query.count === 'none' ? seen : Math.max(Math.min(countedDevices, atLeast), seen), hasMore: true }
}

interface Counting {
  count: DeviceCount
  totals: TileTotals
  mostSorted: number
  isSmall: boolean
}

/** `total`: Infinity where it is not known; then `atLeast` says how many are certain. */
interface Counted {
  total: number
  atLeast: number
}

async function countList(
  db: Database,
  shown: Shown,
  words: readonly Word[],
  { count, totals, mostSorted, isSmall }: Counting,
): Promise<Counted> {
  const { organizationId, metric } = shown
  const whole = (total: number) => ({ total, atLeast: total })
  if (words.length === 0) return whole(totals.shown)
  // The stored counts lack readers that became due and are not marked yet.
  const isKept = areCounted(words) && totals.unmarked === 0
  const kept = isKept ? await countPlaces(db, shown, words, metric ?? 'total') : 0
  const uncounted = isKept ? areUncounted(organizationId, words) : []
  if (!uncounted) return whole(kept)
  const capped = countedDevices + 1
  const most = { exact: isSmall ? Number.POSITIVE_INFINITY : capped, capped, none: areIndexed(words) ? mostSorted + 1 : 0 }[count] - kept
  if (most <= 0) return { total: Number.POSITIVE_INFINITY, atLeast: kept }
  const isWhole = isSmall || areIndexed(words)
  const others = await countFound(db, { ...shown, words: [...shown.words, ...uncounted] }, most, isWhole ? undefined : readersCountedAmong)
  return { total: isWhole && others < most ? kept + others : Number.POSITIVE_INFINITY, atLeast: kept + others }
}

const withWords = (all: Shown, words: readonly Word[]): Shown => ({
  ...all,
  words: words.map((word) => hasWord(all.organizationId, word)),
})

export const downloadDevices = (exports: Exports, scope: ZoneScope, query: DownloadQuery): Promise<Streamed> =>
  downloadFound(exports, findAll(scope, query))

export const downloadDevicesWorkbook = (
  exports: Exports,
  workbooks: Workbooks,
  scope: ZoneScope,
  query: DownloadQuery,
): Promise<Streamed> => downloadFoundWorkbook(exports, workbooks, findAll(scope, query))

type DownloadQuery = DeviceFilter & DeviceSort

function findAll(scope: ZoneScope, query: DownloadQuery): { shown: Shown; sort: DeviceSort } {
  checkFilter(query)
  const all = toShown(scope, findMetric(query))
  return { shown: withWords(all, splitWords(query.textFilter)), sort: query }
}

/** Throws a Problem 400 where a filter has two metrics (spec §4). */
function checkFilter({ onlyBadBattery, onlyOffline, onlyWarrantyExpired, onlyDrifted }: DeviceFilter): void {
  const metrics = [onlyBadBattery, onlyOffline, onlyWarrantyExpired, onlyDrifted].filter(Boolean)
  if (metrics.length > 1) throw new Problem(400, 'Filter by one of onlyBadBattery, onlyOffline, onlyWarrantyExpired and onlyDrifted.')
}
