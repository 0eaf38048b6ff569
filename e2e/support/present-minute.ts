import { setTimeout as pause } from 'node:timers/promises'

const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/**
 * The present minute as an update time, so that what is published within it is applied at once. Where less than `left` milliseconds of the
 * minute remain, waits for the next one.
 */
export async function presentMinute(left: number): Promise<string> {
  const remaining = 60_000 - (Date.now() % 60_000)
  if (remaining < left) await pause(remaining + 50)
  return timeOfDay.format(Date.now())
}
