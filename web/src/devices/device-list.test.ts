import { expect, test } from 'vitest'
import { pageQuery } from '../lib/list-address.ts'
import { deviceQuery, devicesAddress } from './device-list.ts'

const { first, read } = devicesAddress

test('[DSH-10 DSH-11 DSH-13] an empty address is LastSeen descending, page 0 of 10', () => {
  const list = read(new URLSearchParams())
  expect({ ...deviceQuery(list), ...pageQuery(list) }).toEqual({
    ColumnName: 'LastSeen',
    Direction: 'Descending',
    PageNumber: 0,
    PageSize: 10,
  })
})

test('[DSH-03] an address has a metric or a search, not both', () => {
  expect(read(new URLSearchParams('show=battery&search=icu'))).toMatchObject({ show: 'battery', search: '' })
  expect(read(new URLSearchParams('search=icu'))).toMatchObject({ show: 'all', search: 'icu' })
})

test.each([
  ['all', {}],
  ['offline', { onlyOffline: true }],
  ['battery', { onlyBadBattery: true }],
  ['warranty', { onlyWarrantyExpired: true }],
  ['drifted', { onlyDrifted: true }],
] as const)('[DSH-02] the tile %s filters by %o', (show, filter) => {
  expect(deviceQuery({ ...first, show })).toEqual({ ...filter, ColumnName: 'LastSeen', Direction: 'Descending' })
})
