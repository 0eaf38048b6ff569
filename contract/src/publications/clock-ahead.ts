import { counted } from '../text/numbers.ts'

/** Seconds by which a host PC's clock may be wrong before it is shown. */
export const clockTolerance = 300

const words = { days: 86_400, hours: 3_600, minutes: 60 }

/** "2 hours and 5 minutes ahead", for a minute or more. */
export function formatClockAhead(seconds: number): string {
  let left = Math.floor(Math.abs(seconds) / 60) * 60
  const parts = Object.entries(words).flatMap(([many, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0 ? [] : [counted(count, many.slice(0, -1), many)]
  })
  return `${parts.slice(0, 2).join(' and ')} ${seconds > 0 ? 'ahead' : 'behind'}`
}
