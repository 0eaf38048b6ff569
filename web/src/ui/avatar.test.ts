import { expect, test } from 'vitest'
import { getHue, getInitials } from './avatar.tsx'

test('people with the same initials have different colours', () => {
  const people = ['Northfield Manager', 'Northfield Member']
  expect(people.map(getInitials)).toEqual(['NM', 'NM'])
  expect(people.map(getHue)).toEqual([60, 270])
})
