import { expect, test } from 'vitest'
import { getStanding } from './ad-standing.ts'

const days = { adsStartDate: '2027-01-10', adsEndDate: '2027-01-20' }

test.each([
  [1, '2027-01-09', 'to come'],
  [1, '2027-01-10', 'shown'],
  [1, '2027-01-20', 'shown'],
  [1, '2027-01-21', 'over'],
  [0, '2027-01-15', 'not published'],
  [2, '2027-01-15', 'not published'],
] as const)('an ad of status %i is on %s: %s', (status, today, standing) => {
  expect(getStanding({ status, ...days }, today)).toBe(standing)
})
