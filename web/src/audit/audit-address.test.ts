import { expect, test } from 'vitest'
import { type AuditState, auditAddress, toFilter } from './audit-address.ts'

const state: AuditState = {
  ...auditAddress.first,
  search: 'ada',
  type: 'ZoneCreate',
  person: 'ada@people.example',
  zone: 'ICU 3 & 4',
  reader: 'S/1',
  period: 'days',
  from: '2026-01-31',
  to: '2026-02-01',
}
const localMidnight = (year: number, month: number, day: number) => new Date(year, month - 1, day).toISOString()

test('an address has days only for a period of days', () => {
  const read = (address: string) => auditAddress.read(new URLSearchParams(address))
  expect(auditAddress.read(auditAddress.write(state))).toEqual(state)
  expect(read('period=8&from=2026-01-01')).toEqual(auditAddress.first)
  expect(read('period=days&from=yesterday&to=2026-02-30')).toEqual({ ...auditAddress.first, period: 'days' })
  expect(read('period=7&from=2026-01-01').from).toBe('')
})

test('a filter has what the address says, and days from midnight to midnight in the viewer’s time zone', () => {
  expect(toFilter(auditAddress.first)).toEqual({})
  expect(toFilter({ ...auditAddress.first, search: '  ', reader: ' S1 ' })).toEqual({ device: 'S1' })
  expect(toFilter(state)).toEqual({
    textFilter: 'ada',
    changeType: 'ZoneCreate',
    person: 'ada@people.example',
    zone: 'ICU 3 & 4',
    device: 'S/1',
    from: localMidnight(2026, 1, 31),
    to: localMidnight(2026, 2, 2),
  })
  const now = new Date(2026, 2, 1, 15, 30)
  expect(toFilter({ ...auditAddress.first, period: '1' }, now)).toEqual({ from: localMidnight(2026, 3, 1) })
  expect(toFilter({ ...auditAddress.first, period: '7' }, now)).toEqual({ from: localMidnight(2026, 2, 23) })
  expect(toFilter({ ...auditAddress.first, period: 'days', from: '2026-01-31' })).toEqual({ from: localMidnight(2026, 1, 31) })
})
