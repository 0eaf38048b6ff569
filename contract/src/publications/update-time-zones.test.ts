import { expect, test } from 'vitest'
import { clockAround, naiveInstants } from '../testing/wall-clock.ts'
import { updateInstant } from './update-time.ts'

const minute = 60_000
const hour = 60 * minute
const [from, to] = [Date.UTC(2026, 0), Date.UTC(2036, 0)]
const quarters = Array.from({ length: 96 }, (_, index) => index * 15)
const written = (time: number) => `${String(Math.floor(time / 60)).padStart(2, '0')}:${String(time % 60).padStart(2, '0')}`

/** When a zone's offset from UTC changes, in milliseconds, and how. */
interface Change {
  zone: string
  instant: number
  how: string
}

/** Each change of a zone within ten years, to the minute. */
function listOffsetChanges(zone: string): Change[] {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  const offset = (instant: number) => format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')!.value
  const changes: Change[] = []
  let known = offset(from)
  for (let instant = from; instant < to; instant += 24 * hour) {
    const now = offset(instant)
    if (now === known) continue
    let [before, after] = [instant - 24 * hour, instant]
    while (after - before > minute) {
      const middle = before + Math.floor((after - before) / 2 / minute) * minute
      if (offset(middle) === known) before = middle
      else after = middle
    }
    changes.push({ zone, instant: after, how: `${known} ${now} ${after}` })
    known = now
  }
  return changes
}

/** What the updates of the days around a change are, one published after the other, and what watching the clock says they are. */
function updatesAround({ zone, instant }: Change, time: number, naive: number[]): { computed: number[]; watched: number[] } {
  const computed: number[] = []
  const begin = instant - 36 * hour
  const watched = naive.filter((one) => one * minute >= begin).slice(0, 3)
  for (let published = begin; computed.length < 3; published = computed.at(-1)! * minute + minute)
    computed.push(updateInstant(new Date(published), written(time), zone).getTime() / minute)
  return { computed, watched }
}

test('around changes of zones in ten years, updates on a grid of 15 minutes come once a local day, when the clock says', () => {
  const isWhole = process.env.LECTERN_EVERY_ZONE !== undefined
  const zones = Intl.supportedValuesOf('timeZone').filter((_, index) => isWhole || index % 10 === 0)
  const all = zones.flatMap(listOffsetChanges)
  // Zones that change at the same instant in the same way have the same clock around it: for a sample one of them is enough.
  const checked = isWhole ? all : [...new Map(all.map((change) => [change.how, change])).values()]
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
