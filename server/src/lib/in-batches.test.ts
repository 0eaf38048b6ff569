import { expect, test } from 'vitest'
import { inBatches } from './in-batches.ts'

test('what is asked for in one turn is loaded at once, each key once, and what comes later by another load', async () => {
  const loads: string[][] = []
  const find = inBatches(async (keys) => {
    loads.push([...keys])
    return new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, key.toUpperCase()]))
  })
  const asked = ['a', 'unknown', 'a', 'b'].map(find)
  expect(await Promise.all(asked)).toEqual(['A', undefined, 'A', 'B'])
  expect(await find('a')).toBe('A')
  expect(loads).toEqual([['a', 'unknown', 'b'], ['a']])
})

test('where a load fails, all that it was for fail, and the next one is made', async () => {
  let fails = true
  const find = inBatches(async (keys) => {
    if (fails) throw new Error('no database')
    return new Map(keys.map((key) => [key, key]))
  })
  expect((await Promise.allSettled(['a', 'b'].map(find))).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await find('a')).toBe('a')
})
