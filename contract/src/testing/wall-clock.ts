const minute = 60_000

/** A zone's clock, read each minute: when the reading began, and what it showed, in minutes since 1970 as if in UTC. */
export interface Clock {
  start: number
  walls: number[]
}

/** The clock of a zone from so many days before an instant to as many after. */
export function clockAround(zone: string, middle: number, days: number): Clock {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  const start = Math.floor(middle / minute) - days * 1440
  const walls = Array.from({ length: 2 * days * 1440 }, (_, index) => {
    const [date, time] = format.format((start + index) * minute).split(' ')
    return Date.parse(`${date}T${time}Z`) / minute
  })
  return { start, walls }
}

/**
 * When a clock shows a time of day, found by watching it: the first minute of each day that shows it, or jumps over it. `wall`: the time
 * that was looked for.
 */
export function showings({ start, walls }: Clock, timeOfDay: number): { wall: number; at: number }[] {
  const seen = new Set<number>()
  const found: { wall: number; at: number }[] = []
  for (let index = 1; index < walls.length; index++) {
    const [before, now] = [walls[index - 1]!, walls[index]!]
    for (let wall = Math.min(before + 1, now); wall <= now; wall++) {
      if ((((wall - timeOfDay) % 1440) + 1440) % 1440 !== 0 || seen.has(wall)) continue
      seen.add(wall)
      found.push({ wall, at: start + index })
    }
  }
  return found
}

/** The minutes at which updates happen. */
export const naiveInstants = (clock: Clock, timeOfDay: number): number[] => showings(clock, timeOfDay).map(({ at }) => at)
