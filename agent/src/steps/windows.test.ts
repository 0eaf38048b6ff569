import type { OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { expect, test } from 'vitest'
import type { Driver } from '../drivers/driver.ts'
import { createBench } from '../testing/bench.ts'
import { readEvents, startFleet } from '../testing/fleet.ts'
import { makeConfiguration } from '../testing/publications.ts'

const never = new AbortController().signal
/** The clock of a bench starts at noon of a Saturday. */
const configuration = makeConfiguration(1, 'one', { updateTime: '12:00' })
const openTimes: OpenTimes = { windows: [{ days: ['sat'], from: '12:00', to: '12:30' }], blockedDays: [] }

const countReaders = async (driver: Driver) => (await driver.list(never)).filter(({ deviceType }) => deviceType === 'CR2700')
const hasBegun = (folder: string) => (reader: { serialNumber: string }) =>
  readEvents(folder, reader.serialNumber).some(({ event }) => event === 'begin')

test('[NOW-05] from the end of a window on no further reader begins until the next one, a blocked day left out', async () => {
  const { driver, folder } = await startFleet({ readers: 60 })
  const readers = await countReaders(driver)
  const apply: Driver['apply'] = async (...parts) => {
    await driver.apply(...parts)
    bench.clock.now = Math.max(bench.clock.now, Date.UTC(2026, 0, 10, 12, 30))
  }
  const bench = await createBench({ ...driver, apply })
  const blockedDays = [{ from: '2026-01-17', to: '2026-01-17' }]
  await bench.desire({ configurations: [configuration], openTimes: { ...openTimes, blockedDays } }, 'one')
  await bench.look()
  const started = readers.filter(hasBegun(folder))
  expect(started.length).toBeGreaterThan(0)
  expect(started.length).toBeLessThan(readers.length / 2)
  for (const now of [Date.UTC(2026, 0, 10, 18), Date.UTC(2026, 0, 17, 12, 10), Date.UTC(2026, 0, 24, 11, 59)]) {
    bench.clock.now = now
    await bench.look()
    expect(readers.filter(hasBegun(folder))).toEqual(started)
  }
  bench.clock.now = Date.UTC(2026, 0, 24, 12)
  await bench.lookUntil(() => bench.outcomes().length > started.length)
})

test('[NOW-04 NOW-05] what is moved begins on its day, and what is asked for now, or again for one reader, waits for no window', async () => {
  const { driver, folder } = await startFleet({ readers: 20 })
  const [first, ...others] = await countReaders(driver)
  const bench = await createBench(driver)
  const moved = { ...configuration, startDate: '2026-01-12' }
  await bench.desire({ configurations: [moved] }, 'one')
  for (const now of [Date.UTC(2026, 0, 10, 12), Date.UTC(2026, 0, 12, 11, 59)]) {
    bench.clock.now = now
    await bench.look()
    expect(bench.outcomes()).toEqual([])
  }
  const closed: OpenTimes = { windows: [{ days: ['sun'], from: '02:00', to: '03:00' }], blockedDays: [] }
  const id = '00000000-0000-4000-8000-0000000000aa'
  const again = { id, publication: moved.publication, serialNumber: first!.serialNumber }
  bench.clock.now = Date.UTC(2026, 0, 12, 12)
  await bench.desire({ configurations: [moved], reapplications: [again], openTimes: closed })
  await bench.lookUntil(() => bench.outcomes().length === 1)
  expect(others.filter(hasBegun(folder))).toEqual([])
  await bench.desire({ configurations: [{ ...moved, atOnce: true }], openTimes: closed })
  await bench.lookUntil(() => bench.outcomes().length > others.length)
  expect(bench.clock.now).toBeLessThan(Date.UTC(2026, 0, 13))
})

test('[RIT-04] a time that is within a window on a later day waits for that day, past the window before', async () => {
  const { driver, folder } = await startFleet({ readers: 20 })
  const readers = await countReaders(driver)
  const bench = await createBench(driver)
  const windows: OpenTimes['windows'] = [
    { days: ['sat'], from: '15:00', to: '17:00' },
    { days: ['sun', 'mon'], from: '13:00', to: '15:00' },
  ]
  const openTimes = { windows, blockedDays: [{ from: '2026-01-11', to: '2026-01-11' }] }
  await bench.desire({ configurations: [makeConfiguration(1, 'one', { updateTime: '14:00' })], openTimes }, 'one')
  for (const now of [Date.UTC(2026, 0, 10, 15), Date.UTC(2026, 0, 11, 14), Date.UTC(2026, 0, 12, 13, 59)]) {
    bench.clock.now = now
    await bench.look()
    expect(readers.filter(hasBegun(folder))).toEqual([])
  }
  bench.clock.now = Date.UTC(2026, 0, 12, 14)
  await bench.lookUntil(() => bench.outcomes().length === readers.length)
})
