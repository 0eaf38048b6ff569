import { expect, test } from 'vitest'
import { type Driver, ReaderUnreachable } from '../drivers/driver.ts'
import { makeFolder } from '../state/folder.ts'
import { InProgress } from '../state/in-progress.ts'
import { createBench } from '../testing/bench.ts'
import { readEvents, startFleet } from '../testing/fleet.ts'
import { newFolder } from '../testing/folder.ts'
import { makeConfiguration } from '../testing/publications.ts'

const never = new AbortController().signal
const minute = 60_000
/** The clock of a bench starts at noon. */
const configuration = makeConfiguration(1, 'one', { updateTime: '12:00', stopTime: '12:30' })

const countReaders = async (driver: Driver) => (await driver.list(never)).filter(({ deviceType }) => deviceType === 'CR2700')
const count = (folder: string, serial: string, event: string) => readEvents(folder, serial).filter((line) => line.event === event).length

test('from the stop time on no further reader begins, those that have begun are finished, and the others go on at the next update time', async () => {
  const { driver, folder } = await startFleet({ readers: 100 })
  const readers = await countReaders(driver)
  const had = (event: string) => readers.filter(({ serialNumber }) => count(folder, serialNumber, event) > 0)
  const apply: Driver['apply'] = async (...parts) => {
    await driver.apply(...parts)
    bench.clock.now = Math.max(bench.clock.now, Date.UTC(2026, 0, 10, 12, 30))
  }
  const bench = await createBench({ ...driver, apply })
  await bench.publish([configuration, 'one'])
  await bench.look()
  const started = had('begin')
  expect(started.length).toBeGreaterThan(0)
  expect(started.length).toBeLessThan(readers.length / 2)
  expect(had('complete')).toEqual(started)

  for (const hours of [0, 11, 23]) {
    bench.clock.now = Date.UTC(2026, 0, 10, 12, 30) + hours * 60 * minute
    await bench.look()
    expect(had('begin')).toEqual(started)
  }
  bench.clock.now = Date.UTC(2026, 0, 11, 12) - 1
  expect(await bench.applier.look(never)).toBe(1)
  await bench.lookUntil(() => bench.outcomes().length === readers.length)
  expect(readers.map(({ serialNumber }) => count(folder, serialNumber, 'complete'))).toEqual(readers.map(() => 1))
})

test('a reader with which the agent was killed is finished after the stop time, and no other', async () => {
  const { driver, folder } = await startFleet({ readers: 20 })
  const [first, ...others] = await countReaders(driver)
  const state = newFolder()
  const { publication } = configuration
  await (await InProgress.open((await makeFolder(state)).inProgress)).start(first!.serialNumber, {
    publication,
    firmware: null,
    configuration: null,
  })
  const bench = await createBench(driver, { state })
  await bench.publish([configuration, 'one'])
  bench.clock.now += 30 * minute
  await bench.lookUntil(() => bench.outcomes().length === 1)
  expect(bench.outcomes()).toEqual([{ serialNumber: first!.serialNumber, outcome: 'applied', reason: null }])
  expect(others.length).toBeGreaterThan(0)
  expect(others.flatMap(({ serialNumber }) => readEvents(folder, serialNumber))).toEqual([])
})

test('a re-application does not wait for the next update time', async () => {
  const { driver } = await startFleet({ readers: 20 })
  const [first] = await countReaders(driver)
  const bench = await createBench(driver)
  await bench.publish([configuration, 'one'])
  bench.clock.now += 30 * minute
  const id = '00000000-0000-4000-8000-0000000000aa'
  await bench.reapply(configuration, { id, publication: configuration.publication, serialNumber: first!.serialNumber })
  await bench.lookUntil(() => bench.outcomes().length === 1)
  expect(bench.clock.now).toBeLessThan(Date.UTC(2026, 0, 10, 13))
  expect(bench.outcomes()).toEqual([{ serialNumber: first!.serialNumber, outcome: 'applied', reason: null }])
})

test('a reader that did not take it before the stop time is not written to after it, but reported where it has changed over', async () => {
  const { driver, folder } = await startFleet({ readers: 20 })
  const [gone, late, ...others] = await countReaders(driver)
  /** Two cannot be spoken to; one of them has changed over all the same. */
  let isCut = true
  const bench = await createBench({
    ...driver,
    async apply(serialNumber, ...rest) {
      if (!isCut || others.some((reader) => reader.serialNumber === serialNumber)) return driver.apply(serialNumber, ...rest)
      if (serialNumber === late!.serialNumber) await driver.apply(serialNumber, ...rest)
      throw new ReaderUnreachable('It is not there.')
    },
  })
  await bench.publish([configuration, 'one'])
  await bench.look()
  expect(bench.outcomes()).toHaveLength(others.length)
  isCut = false
  bench.clock.now = Date.UTC(2026, 0, 10, 12, 30)
  for (let look = 0; look < 3; look += 1) {
    await bench.look()
    bench.clock.now += 5 * minute
  }
  expect(bench.outcomes().map(({ serialNumber }) => serialNumber)).toContain(late!.serialNumber)
  expect(count(folder, gone!.serialNumber, 'begin')).toBe(0)
  bench.clock.now = Date.UTC(2026, 0, 11, 12)
  await bench.lookUntil(() => bench.outcomes().length === others.length + 2)
  expect(count(folder, gone!.serialNumber, 'complete')).toBe(1)
  expect(count(folder, late!.serialNumber, 'complete')).toBe(1)
})
