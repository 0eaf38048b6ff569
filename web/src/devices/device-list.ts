import { type DeviceFilter, DeviceSort } from '@lectern/contract/devices/devices.ts'
import { pageSizes } from '@lectern/contract/http/paging.ts'

/** What the list is narrowed to: nothing, one of three tiles, or readers that drifted. */
export const metrics = ['all', 'offline', 'battery', 'warranty', 'drifted'] as const
export type Metric = (typeof metrics)[number]

/** What the dashboard's list shows; all of it stands in the page's address. `page` starts at 0. */
export interface DeviceList {
  metric: Metric
  /** Empty unless `metric` is `all`: a text and a metric replace each other (spec §4). */
  text: string
  sort: DeviceSort
  page: number
  size: number
}

const names = { metric: 'show', text: 'search', column: 'sort', direction: 'order', page: 'page', size: 'size' } as const

/** As many characters as the server takes. */
export const longestText = 200

/** Newest check-in first, ten a page, no filter (spec §4, §9). */
export const firstList: DeviceList = {
  metric: 'all',
  text: '',
  sort: { ColumnName: 'LastSeen', Direction: 'Descending' },
  page: 0,
  size: 10,
}

/** Reads the list from an address; what makes no sense there counts as not said. */
export function readList(address: URLSearchParams): DeviceList {
  const metric = metrics.find((name) => name === address.get(names.metric)) ?? 'all'
  const sort = DeviceSort.safeParse({
    ColumnName: address.get(names.column) ?? undefined,
    Direction: address.get(names.direction) ?? undefined,
  })
  const page = Number(address.get(names.page) ?? 1)
  return {
    metric,
    text: metric === 'all' ? (address.get(names.text) ?? '').slice(0, longestText).toWellFormed() : '',
    sort: sort.success ? sort.data : firstList.sort,
    page: Number.isInteger(page) && page >= 1 && page <= 10_000_000 ? page - 1 : 0,
    size: pageSizes.find((size) => String(size) === address.get(names.size)) ?? firstList.size,
  }
}

/** The address of a list; what is as at first is left out. */
export function writeList({ metric, text, sort, page, size }: DeviceList): URLSearchParams {
  const address = new URLSearchParams()
  if (metric !== 'all') address.set(names.metric, metric)
  else if (text !== '') address.set(names.text, text)
  if (sort.ColumnName !== firstList.sort.ColumnName) address.set(names.column, sort.ColumnName)
  if (sort.Direction !== firstList.sort.Direction) address.set(names.direction, sort.Direction)
  if (page !== 0) address.set(names.page, String(page + 1))
  if (size !== firstList.size) address.set(names.size, String(size))
  return address
}

/** The list with only the readers of one tile, from the first page; any text is gone (spec §4). */
export const withMetric = (list: DeviceList, metric: Metric): DeviceList => ({ ...list, metric, text: '', page: 0 })

/** The list with only what a text matches, from the first page; any metric is gone (spec §4). */
export const withText = (list: DeviceList, text: string): DeviceList => ({ ...list, metric: 'all', text, page: 0 })

/** The query parameters that filter and sort as the list does (spec §7). */
export function toFilter({ metric, text, sort }: DeviceList): Partial<DeviceFilter> & DeviceSort {
  const trimmed = text.trim()
  return {
    ...sort,
    ...(trimmed !== '' && { textFilter: trimmed }),
    ...(metric === 'battery' && { onlyBadBattery: true }),
    ...(metric === 'offline' && { onlyOffline: true }),
    ...(metric === 'warranty' && { onlyWarrantyExpired: true }),
    ...(metric === 'drifted' && { onlyDrifted: true }),
  }
}

/** The query parameters of one page, counted from 0. */
export const pageQuery = (list: DeviceList, page = list.page) => ({ ...toFilter(list), PageNumber: page, PageSize: list.size })
