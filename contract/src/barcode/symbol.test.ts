import { expect, test } from 'vitest'
import { symbolSize } from './symbol.ts'

test.for([
  [0, 300],
  [1500, 300],
  [1505, 301],
  [2000, 400],
  [2500, 500],
  [2953, 500],
] as const)('[LIM-08] %i bytes make a canvas of %i px, and 50 px more in height with a caption', ([bytes, side]) => {
  expect(symbolSize(bytes, { caption: false })).toEqual({ width: side, height: side })
  expect(symbolSize(bytes, { caption: true })).toEqual({ width: side, height: side + 50 })
})
