import { expect, test } from 'vitest'
import { fillEnds } from './fill-ends.ts'

const shares = [true, true, false]

test.each([
  {
    why: 'each share has a reader',
    ends: [1_000, 2_000, 10_000],
    may: shares,
    positions: [5, 1_500, 9_000],
    filled: [1_000, 2_000, 10_000],
  },
  { why: 'none has one', ends: [100, 200, 10_000], may: shares, positions: [700, 800, 900], filled: [701, 801, 10_000] },
  {
    why: 'the first takes the only one of the second',
    ends: [100, 900, 10_000],
    may: shares,
    positions: [800, 950],
    filled: [801, 951, 10_000],
  },
  { why: 'none is left for the second', ends: [100, 200, 10_000], may: shares, positions: [150], filled: [151, 200, 10_000] },
  {
    why: 'what ended keeps its end',
    ends: [100, 200, 10_000],
    may: [false, true, false],
    positions: [150, 9_999],
    filled: [100, 200, 10_000],
  },
  {
    why: 'a phase of zones has no positions',
    ends: [0, 100, 10_000],
    may: [false, true, false],
    positions: [9_999],
    filled: [0, 10_000, 10_000],
  },
  { why: 'there is no reader', ends: [100, 200, 10_000], may: shares, positions: [], filled: [100, 200, 10_000] },
])('ends of phases where $why', ({ ends, may, positions, filled }) => {
  expect(fillEnds(ends, may, positions)).toEqual(filled)
})
