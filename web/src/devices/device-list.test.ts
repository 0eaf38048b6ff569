import { DeviceColumn } from '@lectern/contract/devices/devices.ts'
import { pageSizes } from '@lectern/contract/http/paging.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DeviceList, firstList, metrics, pageQuery, readList, withMetric, withText, writeList } from './device-list.ts'

const sort = fc.record({
  ColumnName: fc.constantFrom(...DeviceColumn.options),
  Direction: fc.constantFrom('Ascending' as const, 'Descending' as const),
})
const list: fc.Arbitrary<DeviceList> = fc
  .record({
    metric: fc.constantFrom(...metrics),
    text: fc.string({ maxLength: 60, unit: 'grapheme' }),
    sort,
    page: fc.nat(1_000_000),
    size: fc.constantFrom(...pageSizes),
  })
  .map((each) => (each.metric === 'all' ? each : { ...each, text: '' }))

test('[DSH-10 DSH-11 DSH-13] an address that says nothing means LastSeen descending, page 0 of 10', () => {
  expect(readList(new URLSearchParams())).toEqual(firstList)
  expect(pageQuery(firstList)).toEqual({ ColumnName: 'LastSeen', Direction: 'Descending', PageNumber: 0, PageSize: 10 })
})

test('what an address is written from is read from it', () => {
  fc.assert(
    fc.property(list, (each) => {
      expect(readList(new URLSearchParams(String(writeList(each))))).toEqual(each)
    }),
  )
})

test('an address of nonsense is the list as at first', () => {
  const text = new URLSearchParams('show=x&sort=Zone&order=up&page=-3&size=11')
  expect(readList(text)).toEqual(firstList)
})

test('no address, whatever it says, asks for a page that the server refuses', () => {
  const value = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String), fc.constantFrom('battery', 'Host', 'Ascending'))
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('show', 'search', 'sort', 'order', 'page', 'size'), value), (address) => {
      const query = pageQuery(readList(new URLSearchParams(address)))
      expect(Number.isInteger(query.PageNumber) && query.PageNumber >= 0).toBe(true)
      expect(pageSizes).toContain(query.PageSize)
      expect(query.textFilter?.length ?? 0).toBeLessThanOrEqual(200)
    }),
  )
})

test('[DSH-03] a text replaces a metric, and a metric a text; both start at the first page', () => {
  const far = { ...firstList, page: 7, size: 25 }
  expect(withText({ ...far, metric: 'offline' }, 'icu')).toMatchObject({ metric: 'all', text: 'icu', page: 0, size: 25 })
  expect(withMetric({ ...far, text: 'icu' }, 'battery')).toMatchObject({ metric: 'battery', text: '', page: 0, size: 25 })
  expect(readList(new URLSearchParams('show=battery&search=icu')).text).toBe('')
})

test.each([
  ['all', {}],
  ['offline', { onlyOffline: true }],
  ['battery', { onlyBadBattery: true }],
  ['warranty', { onlyWarrantyExpired: true }],
] as const)('[DSH-02] the tile %s filters by %o', (metric, filter) => {
  expect(pageQuery(withMetric(firstList, metric))).toEqual({ ...filter, ...firstList.sort, PageNumber: 0, PageSize: 10 })
})
