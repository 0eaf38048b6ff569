import { readerPosition } from '@lectern/contract/publications/reader-position.ts'
import { expect, test } from 'vitest'
import { createBench } from '../testing/bench.ts'
import { readEvents, startFleet } from '../testing/fleet.ts'
import { newFolder } from '../testing/folder.ts'
import { makeConfiguration } from '../testing/publications.ts'

const never = new AbortController().signal
const rollout = '0193a1b2-0000-7000-8000-000000000001'
const configuration = (end: number) => makeConfiguration(1, 'one', { atOnce: true, admitted: { rollout, end } })

test('[PHA-01] only readers whose phase has started begin, whatever the clock says and after a restart; the others when the server says so', async () => {
  const { driver, folder } = await startFleet({ readers: 100 })
  const readers = (await driver.list(never)).filter(({ deviceType }) => deviceType === 'CR2700').map(({ serialNumber }) => serialNumber)
  const inFirst = readers.filter((serial) => readerPosition(rollout, serial) < 5_000)
  expect(inFirst.length).toBeGreaterThan(0)
  expect(inFirst.length).toBeLessThan(readers.length)
  const started = () => readers.filter((serial) => readEvents(folder, serial).some(({ event }) => event === 'begin'))
  const state = newFolder()
  const bench = await createBench(driver, { state })
  await bench.publish([configuration(5_000), 'one'])
  await bench.lookUntil(() => inFirst.every((serial) => bench.journal.hasOutcome(configuration(0).publication, serial)))
  for (const hours of [-1, 1, 24 * 30]) {
    bench.clock.now = Date.UTC(2026, 0, 10, 12 + hours)
    await bench.look()
  }
  await bench.journal.close()
  const again = await createBench(driver, { state })
  await again.look()
  expect(started().sort()).toEqual([...inFirst].sort())
  await again.publish([configuration(10_000), 'one'])
  await again.lookUntil(() => readers.every((serial) => again.journal.hasOutcome(configuration(0).publication, serial)))
  expect(started()).toHaveLength(readers.length)
})

test('the position of a reader follows from rollout and serial number alone', () => {
  // The first four bytes of SHA-256 of "<rollout> R1", as sha256sum prints them.
  expect(readerPosition(rollout, 'R1')).toBe(0x95d1112d % 10_000)
})
