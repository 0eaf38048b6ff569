import { expect, test } from 'vitest'
import { createBench } from '../testing/bench.ts'
import { startFleet } from '../testing/fleet.ts'
import { makeConfiguration } from '../testing/publications.ts'

test('[INP-05] a PC in a new time zone waits by the old one until the portal has planned anew, then by the new one', async () => {
  const { driver } = await startFleet()
  const bench = await createBench(driver, { timeZone: 'Asia/Tokyo' })
  const desire = (timeZoneHistory: string) => bench.desire({ configurations: [makeConfiguration(1, 'one')], timeZoneHistory }, 'one')
  await desire('America/New_York')
  // Published at 12:00 UTC: 02:00 in Tokyo is at 17:00 UTC, and in New York at 07:00 UTC on the day after.
  bench.clock.now = Date.UTC(2026, 0, 10, 18)
  await bench.look()
  expect(bench.outcomes()).toEqual([])
  await desire('Asia/Tokyo 2026-01-10T18:00:00.000Z America/New_York')
  bench.clock.now = Date.UTC(2026, 0, 11, 16, 59)
  await bench.look()
  expect(bench.outcomes()).toEqual([])
  bench.clock.now = Date.UTC(2026, 0, 11, 17)
  await bench.lookUntil(() => bench.outcomes().length === 1)
})

test('[INP-05] a run that has begun goes on where the PC came into a time zone whose update time is still to come', async () => {
  const { driver } = await startFleet()
  const bench = await createBench(driver, { timeZone: 'America/Los_Angeles' })
  bench.clock.now = Date.UTC(2026, 0, 11, 7, 30)
  const timeZoneHistory = 'America/Los_Angeles 2026-01-11T07:15:00.000Z America/New_York'
  await bench.desire({ configurations: [makeConfiguration(1, 'one')], timeZoneHistory }, 'one')
  await bench.lookUntil(() => bench.outcomes().length === 1)
  expect(bench.clock.now).toBeLessThan(Date.UTC(2026, 0, 11, 8))
})
