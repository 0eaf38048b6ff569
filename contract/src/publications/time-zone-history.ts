import * as z from 'zod/mini'
import { Instant } from '../text/text.ts'
import { findRunEnd, type RunTimes, startInstant, TimeZone } from './update-time.ts'
import { toInstant, toMilliseconds } from './zone-clock.ts'

/**
 * The time zones that a host PC had, newest first. Behind each but the oldest is the instant at which the portal learned of it: `Asia/Tokyo
 * 2027-03-01T10:00:00.000Z Europe/Berlin`. Without a change it is one time zone.
 */
export const TimeZoneHistory = z.string().check(
  z.maxLength(1_000),
  z.refine((text) => {
    const words = text.split(' ')
    const isWord = (word: string, index: number) => (index % 2 === 0 ? TimeZone : Instant).safeParse(word).success
    return words.length % 2 === 1 && words.every(isWord)
  }, 'must be time zones, with the instant of each change between'),
)

export const currentTimeZone = (history: string): string => history.split(' ', 1)[0]!

/** Returns the last change, with the time zone before it; null where there was none. */
export function findLastChange(history: string): { at: Date; timeZone: string; before: string } | null {
  const [timeZone, at, before] = history.split(' ')
  return at === undefined ? null : { at: new Date(at), timeZone: timeZone!, before: before! }
}

/**
 * Returns when readers may begin, as `startInstant` does, where the time zone of the clock may have changed since the publish. What waits at a
 * change is planned anew from then on, and so never into the past. A run in progress ends on the clock on which it began (INP-05).
 */
export function plannedStart(published: Date, times: RunTimes, history: string, now: Date): Date {
  const words = history.split(' ')
  let from = published
  for (let oldest = words.length - 1; oldest > 0; oldest -= 2) {
    const [timeZone, changed] = [words[oldest]!, new Date(words[oldest - 1]!)]
    if (changed <= from) continue
    const here = from === published ? times : dropPastDay(times, from, timeZone)
    const end = findRunEnd(from, here, timeZone, changed)
    if (end !== null && now.getTime() < end) return startInstant(from, here, timeZone, now)
    from = end === null ? changed : new Date(end)
  }
  const timeZone = words[0]!
  return startInstant(from, from === published ? times : dropPastDay(times, from, timeZone), timeZone, now)
}

/** Drops a chosen day that is past on the new clock at `from`. The next update time counts then. */
function dropPastDay({ startDate, ...times }: RunTimes, from: Date, timeZone: string): RunTimes {
  if (!startDate) return times
  const first = toInstant(Date.parse(startDate) + toMilliseconds(times.updateTime), timeZone)
  return first < from.getTime() ? times : { ...times, startDate }
}
