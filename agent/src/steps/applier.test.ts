import { expect, test } from 'vitest'
import type { Driver } from '../drivers/driver.ts'
import { changeReader } from '../drivers/simulated/driver.ts'
import { createBench } from '../testing/bench.ts'
import { readEvents, startFleet } from '../testing/fleet.ts'
import { newFolder } from '../testing/folder.ts'
import { makeConfiguration, makeDesired, sha256 } from '../testing/publications.ts'

const never = new AbortController().signal
const minute = 60_000
const refused = 'simulated-reader: refuse'

async function cr2700(driver: Driver): Promise<string> {
  return (await driver.list(never)).find(({ deviceType }) => deviceType === 'CR2700')!.serialNumber
}

const completed = (folder: string, serial: string) =>
  readEvents(folder, serial).flatMap((line) => (line.event === 'complete' ? [line] : []))

test("readers wait for the update time of the host's own time zone, and take it over then", async () => {
  const { driver, folder } = await startFleet()
  const serial = await cr2700(driver)
  const bench = await createBench(driver, { timeZone: 'America/New_York' })
  // Published at 12:00 UTC; the next 02:00 in New York is 07:00 UTC on the day after.
  await bench.publish([makeConfiguration(1, 'one'), 'one'])
  const due = Date.UTC(2026, 0, 11, 7)
  bench.clock.now = due - 1
  expect(await bench.applier.look(never)).toBe(1)
  await bench.applier.idle()
  expect(readEvents(folder, serial)).toEqual([])
  bench.clock.now = due
  await bench.lookUntil(() => bench.outcomes().length === 1)
  expect(completed(folder, serial).map(({ contentHash }) => contentHash)).toEqual([sha256('one')])
  expect((await driver.read(serial, never)).configuration).toEqual({ contentHash: sha256('one'), fileName: 'v1.js' })
})

test('[NOW-01] what is published now begins when it is here, also where the clock of the host is a day behind', async () => {
  const { driver, folder } = await startFleet()
  const serial = await cr2700(driver)
  const bench = await createBench(driver)
  bench.clock.now = Date.UTC(2026, 0, 9, 12)
  await bench.publish([makeConfiguration(1, 'one', { atOnce: true }), 'one'])
  await bench.lookUntil(() => bench.outcomes().length === 1)
  expect(completed(folder, serial).map(({ contentHash }) => contentHash)).toEqual([sha256('one')])
})

test('far from the update time, the clock is looked at again within a minute', async () => {
  const { driver } = await startFleet()
  const bench = await createBench(driver)
  await bench.publish([makeConfiguration(1, 'one'), 'one'])
  expect(await bench.applier.look(never)).toBe(minute)
})

test('a try that becomes due during a look is not forgotten until the next minute', async () => {
  const { driver, folder } = await startFleet()
  const serial = await cr2700(driver)
  const bench = await createBench(driver)
  await bench.publish([makeConfiguration(1, refused, { atOnce: true }), refused])
  await bench.look()
  const due = bench.clock.now + (await bench.look())
  const begun = () => readEvents(folder, serial).filter(({ event }) => event === 'begin').length
  for (let before = 9; before > 0 && begun() === 1; before -= 1) {
    let time = due - before
    // It goes on by a millisecond each time that it is read.
    Object.defineProperty(bench.clock, 'now', { configurable: true, get: () => time++ })
    const next = await bench.look()
    expect(begun() > 1 || next < 1_000, `${before} ms before`).toBe(true)
  }
})

test('an update time that passed while the host was off is made up for at once, on the model it is for and no other', async () => {
  const { driver, folder } = await startFleet()
  const bench = await createBench(driver)
  await bench.publish([makeConfiguration(1, 'one'), 'one'])
  bench.clock.now = Date.UTC(2026, 0, 20)
  await bench.lookUntil(() => bench.outcomes().length === 1)
  const touched = (await driver.list(never)).filter(({ serialNumber }) => readEvents(folder, serialNumber).length > 0)
  expect(touched.map(({ deviceType }) => deviceType)).toEqual(['CR2700'])
})

test('a reader that runs it already is reported, not written to again', async () => {
  const { driver, folder } = await startFleet()
  const serial = await cr2700(driver)
  const first = await createBench(driver)
  await first.publish([makeConfiguration(1, 'one', { updateTime: '12:00' }), 'one'])
  await first.lookUntil(() => first.outcomes().length === 1)
  // Another state folder: nothing of the first time is remembered.
  const second = await createBench(driver)
  await second.publish([makeConfiguration(1, 'one', { updateTime: '12:00' }), 'one'])
  await second.lookUntil(() => second.outcomes().length === 1)
  expect(second.outcomes()).toEqual([{ serialNumber: serial, outcome: 'applied', reason: null }])
  expect(completed(folder, serial)).toHaveLength(1)
})

test('what has its outcome is not looked at again after a restart', async () => {
  const { driver, folder } = await startFleet()
  const serial = await cr2700(driver)
  const state = newFolder()
  for (let start = 0; start < 2; start += 1) {
    const bench = await createBench(driver, { state })
    await bench.publish([makeConfiguration(1, 'simulated-reader: refuse', { updateTime: '12:00' }), 'simulated-reader: refuse'])
    await bench.lookUntil(() => bench.outcomes().length === 1)
    await bench.look()
    await bench.journal.close()
  }
  expect(readEvents(folder, serial).filter(({ event }) => event === 'begin')).toHaveLength(3)
})

test('a reader that refuses is asked three times and then reported with its reason', async () => {
  const { driver, folder } = await startFleet()
  const serial = await cr2700(driver)
  const bench = await createBench(driver)
  await bench.publish([makeConfiguration(1, 'simulated-reader: refuse', { updateTime: '12:00' }), 'simulated-reader: refuse'])
  await bench.lookUntil(() => bench.outcomes().length === 1)
  expect(bench.outcomes()).toEqual([{ serialNumber: serial, outcome: 'failed', reason: 'The reader refuses this configuration.' }])
  expect(readEvents(folder, serial).map(({ event }) => event)).toEqual(['begin', 'refused', 'begin', 'refused', 'begin', 'refused'])
})

test('a reader that cannot be read is tried three times and then reported with the reason', async () => {
  const { driver } = await startFleet()
  const serial = await cr2700(driver)
  const bench = await createBench({
    ...driver,
    read: async () => {
      throw new Error('EIO: i/o error, read')
    },
  })
  await bench.publish([makeConfiguration(1, 'a', { updateTime: '12:00' }), 'a'])
  await bench.lookUntil(() => bench.outcomes().length === 1)
  expect(bench.outcomes()).toEqual([{ serialNumber: serial, outcome: 'failed', reason: 'EIO: i/o error, read' }])
})

test('a reader that refuses once takes it the next time', async () => {
  const { driver, folder } = await startFleet()
  const serial = await cr2700(driver)
  const bench = await createBench(driver)
  const script = 'simulated-reader: refuse once'
  await bench.publish([makeConfiguration(1, script, { updateTime: '12:00' }), script])
  await bench.lookUntil(() => bench.outcomes().length === 1)
  expect(bench.outcomes()[0]?.outcome).toBe('applied')
  expect(completed(folder, serial)).toHaveLength(1)
})

test('a publication that is replaced while readers wait for it is not applied any more, and never after the newer one', async () => {
  const { driver, folder } = await startFleet({ readers: 100 })
  const readers = (await driver.list(never)).filter(({ deviceType }) => deviceType === 'CR2700')
  let replaced: Promise<void> | undefined
  const apply: Driver['apply'] = async (...parts) => {
    await driver.apply(...parts)
    replaced ??= bench.publish([makeConfiguration(2, 'two', { updateTime: '12:00' }), 'two'])
    await replaced
  }
  const bench = await createBench({ ...driver, apply })
  await bench.publish([makeConfiguration(1, 'one', { updateTime: '12:00' }), 'one'])
  await bench.applier.look(never)
  // Updates that were queued for the first one are dropped, without a new look.
  await bench.applier.idle()
  const first = readers.filter(({ serialNumber }) => completed(folder, serialNumber).length > 0)
  expect(first.length).toBeGreaterThan(0)
  expect(first.length).toBeLessThan(readers.length / 2)
  const isDone = () => readers.every(({ serialNumber }) => bench.journal.hasOutcome(makeConfiguration(2, 'two').publication, serialNumber))
  await bench.lookUntil(isDone)
  const histories = readers.map(({ serialNumber }) => completed(folder, serialNumber).map(({ contentHash }) => contentHash))
  for (const history of histories) expect(history.at(-1)).toBe(sha256('two'))
  expect(histories.every((history) => history.length <= 2)).toBe(true)
})

test('readers wait for a content that is not on this PC', async () => {
  const { driver } = await startFleet()
  const bench = await createBench(driver)
  const configuration = makeConfiguration(1, 'one', { updateTime: '12:00' })
  await bench.desired.take(makeDesired({ configurations: [configuration] }))
  await bench.look()
  expect(bench.transitions).toEqual(['queued → downloading'])
  expect(bench.outcomes()).toEqual([])
})

test('a reader that does not answer has not failed: it gets its configuration when it is back', async () => {
  const { driver, folder } = await startFleet()
  const serial = await cr2700(driver)
  let isGone = true
  const bench = await createBench({
    ...driver,
    apply: (...parts) => (isGone ? driver.apply('none', parts[1], parts[2]) : driver.apply(...parts)),
  })
  await bench.publish([makeConfiguration(1, 'one', { updateTime: '12:00' }), 'one'])
  for (let time = 0; time < 6; time += 1) {
    bench.clock.now += 2 * minute
    await bench.look()
  }
  expect(bench.outcomes()).toEqual([])
  isGone = false
  bench.clock.now += 2 * minute
  await bench.lookUntil(() => bench.outcomes().length === 1)
  expect(completed(folder, serial)).toHaveLength(1)
})

test('a reader that was changed by hand is left alone until a re-application, and then gets it again, once', async () => {
  const { driver, folder } = await startFleet({ readers: 100 })
  const [one, another] = (await driver.list(never))
    .filter(({ deviceType }) => deviceType === 'CR2700')
    .map(({ serialNumber }) => serialNumber)
  const bench = await createBench(driver)
  const configuration = makeConfiguration(1, 'one', { updateTime: '12:00' })
  await bench.publish([configuration, 'one'])
  await bench.lookUntil(() => [one, another].every((serial) => bench.journal.hasOutcome(configuration.publication, serial!)))
  for (const serial of [one!, another!]) await changeReader(folder, serial, 'scan')
  const runs = async (serial: string) => (await driver.read(serial, never)).configuration?.contentHash
  await bench.look()
  expect(await runs(one!)).not.toBe(sha256('one'))

  const id = '00000000-0000-4000-8000-00000000aaaa'
  await bench.reapply(configuration, { id, publication: configuration.publication, serialNumber: one! })
  await bench.lookUntil(() => bench.journal.hasOutcome(id, one!))
  expect(await runs(one!)).toBe(sha256('one'))
  expect(await runs(another!)).not.toBe(sha256('one'))
  expect(bench.journal.unsent().filter(({ publication }) => publication === id)).toMatchObject([{ serialNumber: one, outcome: 'applied' }])

  await changeReader(folder, one!, 'reset')
  await bench.look()
  expect(completed(folder, one!).map(({ publication }) => publication)).toEqual([configuration.publication, id])
})
