import { expect, test } from 'vitest'
import { rolloutsAddress, toRolloutFilter } from './rollouts-address.ts'

const localMidnight = (year: number, month: number, day: number) => new Date(year, month - 1, day).toISOString()

test('[MNY-05] an address has every filter, and days last from midnight to midnight where it is read', () => {
  const zone = '0190d5f0-0000-7000-8000-000000000001'
  const person = '0190d5f0-0000-7000-8000-000000000002'
  const address = `search=wrist+band&state=underWay&kind=firmware&model=CR2700&zone=${zone}&person=${person}&from=2026-01-30&to=2026-01-31&page=2`
  const state = rolloutsAddress.read(new URLSearchParams(address))
  expect(String(rolloutsAddress.write(state))).toBe(address)
  expect(toRolloutFilter(state)).toEqual({
    textFilter: 'wrist band',
    state: 'underWay',
    kind: 'firmware',
    model: 'CR2700',
    zone,
    person,
    from: localMidnight(2026, 1, 30),
    to: localMidnight(2026, 2, 1),
  })
  const nothing = rolloutsAddress.read(new URLSearchParams('state=sideways&kind=x&model=y&zone=z&person=1&from=2026-02-30&to=never'))
  expect(nothing).toEqual(rolloutsAddress.first)
  expect(JSON.stringify(toRolloutFilter(nothing))).toBe('{"textFilter":""}')
})
