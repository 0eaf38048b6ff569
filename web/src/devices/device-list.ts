import { DeviceColumn, type DeviceFilter, type DeviceSort } from '@lectern/contract/devices/devices.ts'
import { type ListState, listAddress, oneOf, searchQuery, sortQuery, text } from '../lib/list-address.ts'

const metrics = ['all', 'offline', 'battery', 'warranty', 'drifted'] as const
export type Metric = (typeof metrics)[number]

/** The dashboard's list: newest check-in first (spec §4). A search replaces a metric, and a metric a search. */
export const devicesAddress = listAddress({
  filters: { show: oneOf(metrics), search: text() },
  sort: { columns: DeviceColumn.options, first: { id: 'LastSeen', descending: true } },
  normalize: (state) => (state.show === 'all' ? state : { ...state, search: '' }),
})

type DeviceList = Pick<ListState & typeof devicesAddress.first, 'show' | 'search' | 'sort'>

export const deviceQuery = ({ show, search, sort }: DeviceList): Partial<DeviceFilter> & DeviceSort => ({
  ...sortQuery(sort),
  ...searchQuery(search),
  ...(show === 'battery' && { onlyBadBattery: true }),
  ...(show === 'offline' && { onlyOffline: true }),
  ...(show === 'warranty' && { onlyWarrantyExpired: true }),
  ...(show === 'drifted' && { onlyDrifted: true }),
})
