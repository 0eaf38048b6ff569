import type { Preview } from '@lectern/contract/publications/preview.ts'
import { expect, test } from 'vitest'
import { withRows } from './rows.ts'

const counts = {
  readers: 1,
  matches: 0,
  changes: 1,
  toOlder: 0,
  missing: 0,
  noHost: 0,
  silent: 0,
  onTwoPcs: 0,
  olderApp: 0,
  notPossible: 0,
  battery: 0,
}
const models = ['CR1100', 'CR2700', 'A271/2', 'CR1500', 'CR5200', 'V1300', 'V4500'] as const

function preview(zones: number, parts: number, totalCount = zones): Preview {
  const part = models.slice(0, parts).map((model) => ({ model, kind: 'configuration' as const, counts }))
  return {
    parts: part.map((one) => ({ ...one, name: 'Ward, version 2', running: [], others: 0 })),
    zones: Array.from({ length: zones }, (_, index) => ({ id: `${index}`, name: `Zone ${index}`, parts: part })),
    pageNumber: 0,
    pageSize: 10,
    totalCount,
  }
}

test('[DRY-01] all zones together stand above each zone, and more than 20 rows of zones are folded', () => {
  const few = withRows(preview(2, 1))
  expect(few.rows.map(({ zone, isOfAll }) => [zone, isOfAll])).toEqual([
    ['All 2 zones', true],
    ['Zone 0', false],
    ['Zone 1', false],
  ])
  expect(few.isLong).toBe(false)
  expect(withRows(preview(10, 2)).isLong).toBe(false)
  expect(withRows(preview(3, 7)).isLong).toBe(true)
  const many = withRows(preview(10, 7, 500))
  expect(many.isLong).toBe(true)
  expect(many.rows.filter(({ isOfAll }) => isOfAll).map(({ zone, part }) => `${zone}, ${part}`)).toEqual(
    models.map((model) => `All 500 zones, ${model} configuration`),
  )
  expect(withRows(preview(1, 7)).rows.map(({ isOfAll }) => isOfAll)).toEqual(models.map(() => false))
})
