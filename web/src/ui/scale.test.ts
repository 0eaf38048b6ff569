import { expect, test } from 'vitest'
import { listTicks } from './scale.tsx'

test.each([
  [0, [0]],
  [3, [0, 1, 2]],
  [14, [0, 5, 10]],
  [40, [0, 10, 20, 30]],
  [4200, [0, 2000]],
])('the scale of %i readers has the ticks %o', (total, ticks) => {
  expect(listTicks(total)).toEqual(ticks)
})
