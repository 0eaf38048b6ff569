import fc from 'fast-check'
import { expect } from 'vitest'
import { startInstant } from '../publications/update-time.ts'
import { type OpenTimes, weekdays } from '../schedule/open-times.ts'
import { type Clock, clockAround, showings } from './wall-clock.ts'

const minute = 60_000
const day = 1440
const written = (time: number) => `${String(Math.floor(time / 60)).padStart(2, '0')}:${String(time % 60).padStart(2, '0')}`
const weekdayOf = (wall: number) => weekdays[(new Date(wall * minute).getUTCDay() + 6) % 7]!
const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/**
 * For each minute of a clock, whether runs may be, found by watching it: a window opens when the clock first shows its begin, and closes at
 * its end.
 */
function watchOpen(clock: Clock, { windows, blockedDays }: OpenTimes): boolean[] {
  const midnights = new Map(showings(clock, 0).map(({ wall, at }) => [wall, at]))
  const mark = (marks: boolean[], spans: { from: number; to: number }[]) => {
    for (const { from, to } of spans) marks.fill(true, Math.max(0, from - clock.start), Math.max(0, to - clock.start))
    return marks
  }
  const none = clock.walls.map(() => false)
  const blocked = [...midnights].flatMap(([wall, at]) => {
    const date = new Date(wall * minute).toISOString().slice(0, 10)
    return blockedDays.some(({ from, to }) => from <= date && date <= to) ? [{ from: at, to: midnights.get(wall + day) ?? Infinity }] : []
  })
  const open = windows.flatMap(({ days, from, to }) => {
    const closings = new Map(showings(clock, toMinutes(to)).map(({ wall, at }) => [wall, at]))
    const length = (toMinutes(to) - toMinutes(from) + day) % day || day
    return showings(clock, toMinutes(from))
      .filter(({ wall }) => days.includes(weekdayOf(wall)))
      .map(({ wall, at }) => ({ from: at, to: closings.get(wall + length) ?? Infinity }))
  })
  const [inWindow, onBlocked] = [mark([...none], open), mark([...none], blocked)]
  return none.map((_, index) => (windows.length === 0 || inWindow[index]!) && !onBlocked[index])
}

/** Whether a time is within a window, on a clock without changes and without blocked days. */
function isWithin(wall: number, { windows }: OpenTimes): boolean {
  const begins = [0, 1].map((days) => Math.floor(wall / day) * day - days * day)
  return windows.some(({ days, from, to }) => {
    const length = (toMinutes(to) - toMinutes(from) + day) % day || day
    return begins.some((midnight) => {
      const into = wall - midnight - toMinutes(from)
      return days.includes(weekdayOf(midnight)) && into >= 0 && into < length
    })
  })
}

interface Watched {
  update: number
  stop: number | null
  published: number
  now: number
}

function watchStart(clock: Clock, openTimes: OpenTimes, { update, stop, published, now }: Watched): number | undefined {
  const open = watchOpen(clock, openTimes)
  const firstFrom = (at: number, isOpen: boolean) => {
    const index = open.indexOf(isOpen, at - clock.start)
    return index < 0 ? Infinity : clock.start + index
  }
  const stops = stop === null || stop === update ? [] : showings(clock, stop)
  const isBlocked = (wall: number) => {
    const date = new Date(wall * minute).toISOString().slice(0, 10)
    return openTimes.blockedDays.some(({ from, to }) => from <= date && date <= to)
  }
  const isOpen = ({ at, wall }: { at: number; wall: number }) => isWithin(wall, openTimes) && open[at - clock.start]!
  // A time outside every window becomes the start of the next one. Any other is kept, on days on which it is open.
  const isOutside = Array.from({ length: 7 }, (_, days) => update + days * day).every((wall) => !isWithin(wall, openTimes))
  const runs = showings(clock, update)
    .filter((each) => each.at >= published && !isBlocked(each.wall) && (isOutside || isOpen(each)))
    .map(({ at, wall }) => {
      const begin = firstFrom(at, true)
      const length = ((stop ?? 0) - update + day) % day || day
      const ownStop = begin === at ? stops.find((each) => each.wall === wall + length) : stops.find((each) => each.at > begin)
      return { begin, end: Math.min(firstFrom(begin, false), ownStop?.at ?? Infinity) }
    })
  const begin = runs[0]?.begin
  if (begin === undefined || begin > now || runs.some((run) => run.begin <= now && now < run.end)) return begin
  return runs.find((run) => run.begin > now)?.begin
}

const time = fc.integer({ min: 0, max: 1439 })
const window = fc.record({ days: fc.subarray([...weekdays], { minLength: 1 }), from: time, to: time })

/** Expects that random windows, blocked days, update and stop times have the runs, around an instant, that watching the clock finds. */
export function expectWatchedRuns(zone: string, instant: number, numRuns: number): void {
  const middle = Math.floor(instant / (day * minute)) * day * minute
  const clock = clockAround(zone, middle, 12)
  const near = fc.integer({ min: -3 * day, max: 2 * day })
  const blocked = fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 2 })
  fc.assert(
    fc.property(
      fc.array(window, { maxLength: 3 }),
      blocked,
      time,
      fc.option(time),
      near,
      near,
      (windows, offsets, update, stop, one, other) => {
        const openTimes = {
          windows: windows.map(({ days, from, to }) => ({ days, from: written(from), to: written(to) })),
          blockedDays: offsets.map((offset) => {
            const each = new Date(middle + offset * day * minute).toISOString().slice(0, 10)
            return { from: each, to: each }
          }),
        }
        const [published, now] = [Math.min(one, other), Math.max(one, other)].map((each) => middle / minute + each) as [number, number]
        const expected = watchStart(clock, openTimes, { update, stop, published, now })
        const times = { updateTime: written(update), stopTime: stop === null ? null : written(stop), openTimes }
        const found = startInstant(new Date(published * minute), times, zone, new Date(now * minute)).getTime() / minute
        // Openings after the clock was watched are not known.
        if (expected !== undefined && expected < clock.start + clock.walls.length) expect(found).toBe(expected)
      },
    ),
    { numRuns, seed: 20_261_125 },
  )
}
