import { expect, test } from 'vitest'
import { type Change, listOffsetChanges } from '../testing/offset-changes.ts'
import { clockAround, naiveInstants } from '../testing/wall-clock.ts'
import { updateInstant } from './update-time.ts'

const minute = 60_000
const hour = 60 * minute
const quarters = Array.from({ length: 96 }, (_, index) => index * 15)
const written = (time: number) => `${String(Math.floor(time / 60)).padStart(2, '0')}:${String(time % 60).padStart(2, '0')}`

/** Returns the updates of the days around a change, each of a publish after the one before: as they are computed, and as watching the clock finds them. */
function updatesAround({ zone, instant }: Change, time: number, naive: number[]): { computed: number[]; watched: number[] } {
  const computed: number[] = []
  const begin = instant - 36 * hour
  const watched = naive.filter((one) => one * minute >= begin).slice(0, 3)
  for (let published = begin; computed.length < 3; published = computed.at(-1)! * minute + minute)
    computed.push(updateInstant(new Date(published), written(time), zone).getTime() / minute)
  return { computed, watched }
}

test('around changes of zones in ten years, updates on a grid of 15 minutes come once a local day, when the clock says', () => {
  const { all, checked } = listOffsetChanges()
  const clocks = new Map<string, Map<number, number[]>>()
  for (const change of checked) {
    let naive = clocks.get(change.how)
    if (!naive) {
      const clock = clockAround(change.zone, change.instant, 2)
      naive = new Map(quarters.map((time) => [time, naiveInstants(clock, time)]))
      clocks.set(change.how, naive)
    }
    for (const time of quarters) {
      const { computed, watched } = updatesAround(change, time, naive.get(time)!)
      if (computed.join() !== watched.join())
        expect({ change, time: written(time), computed }).toEqual({ change, time: written(time), computed: watched })
    }
  }
  console.log(`${checked.length} changes of ${all.length} checked, ${quarters.length} times of day each`)
  expect(checked.length).toBeGreaterThan(60)
}, 600_000)
