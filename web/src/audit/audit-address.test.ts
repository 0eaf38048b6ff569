import { expect, test } from 'vitest'
import { type AuditView, isFiltered, readView, toFilter, wholeLog, writeView } from './audit-address.ts'

const view: AuditView = {
  ...{ text: 'ada', type: 'ZoneCreate', person: 'ada@people.example', zone: 'ICU 3 & 4', device: 'S/1' },
  ...{ period: 'days', from: '2026-01-31', to: '2026-02-01' },
}
const read = (address: string) => readView(new URLSearchParams(address))
const localMidnight = (year: number, month: number, day: number) => new Date(year, month - 1, day).toISOString()

test('an address holds the whole view and gives it back', () => {
  expect(readView(writeView(view))).toEqual(view)
  expect(String(writeView(wholeLog))).toBe('')
  expect(read('')).toEqual(wholeLog)
  expect([isFiltered(wholeLog), isFiltered({ ...wholeLog, device: 'S' })]).toEqual([false, true])
})

test('what makes no sense in an address counts as not said', () => {
  expect(read('period=8&from=2026-01-01')).toEqual(wholeLog)
  expect(read('period=days&from=yesterday&to=2026-02-30')).toEqual({ ...wholeLog, period: 'days' })
  expect(read('period=7&from=2026-01-01').from).toBe('')
  expect(read(`search=${'x'.repeat(300)}`).text).toHaveLength(200)
  expect(read('zone=%00ICU').zone).toBe('ICU')
})

test('a filter has what the view says, and days from midnight to midnight where the viewer is', () => {
  expect(toFilter(wholeLog)).toEqual({})
  expect(toFilter({ ...wholeLog, text: '  ', device: ' S1 ' })).toEqual({ device: 'S1' })
  expect(toFilter(view)).toEqual({
    ...{ textFilter: 'ada', changeType: 'ZoneCreate', person: 'ada@people.example', zone: 'ICU 3 & 4', device: 'S/1' },
    ...{ from: localMidnight(2026, 1, 31), to: localMidnight(2026, 2, 2) },
  })
  const now = new Date(2026, 2, 1, 15, 30)
  expect(toFilter({ ...wholeLog, period: '1' }, now)).toEqual({ from: localMidnight(2026, 3, 1) })
  expect(toFilter({ ...wholeLog, period: '7' }, now)).toEqual({ from: localMidnight(2026, 2, 23) })
  expect(toFilter({ ...wholeLog, period: 'days', from: '2026-01-31' })).toEqual({ from: localMidnight(2026, 1, 31) })
})
