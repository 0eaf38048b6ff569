import { mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Driver, ReaderRefusal } from '../drivers/driver.ts'
import { simulatedFirmware, unwellMarker } from '../drivers/simulated/reader.ts'
import { type Bench, createBench } from '../testing/bench.ts'
import { startFleet } from '../testing/fleet.ts'
import { makeConfiguration, makeFirmware, sha256 } from '../testing/publications.ts'

const never = new AbortController().signal
const configuration = makeConfiguration(1, 'one', { atOnce: true })

/** A bench with the fleet's only CR2700, a minute after the publication. `change` gets the bench once it exists. */
async function newBench(change: (driver: Driver, getBench: () => Bench) => Partial<Driver>) {
  const { driver } = await startFleet()
  const { serialNumber } = (await driver.list(never)).find(({ deviceType }) => deviceType === 'CR2700')!
  const bench: Bench = await createBench({ ...driver, ...change(driver, () => bench) })
  bench.clock.now = Date.UTC(2026, 0, 10, 12, 1)
  return { bench, serialNumber }
}

const listWarnings = ({ log }: Bench) => log.filter((line) => line.startsWith('Warning: '))

test('each try that a reader refuses is in the log, then that the update failed; a long reason is cut to 500 characters', async () => {
  const reason = `Not now${'!'.repeat(600)}`
  const { bench, serialNumber } = await newBench(() => ({
    async apply() {
      throw new ReaderRefusal(reason)
    },
  }))
  await bench.publish([configuration, 'one'])
  await bench.lookUntil(() => bench.outcomes().length === 1)
  expect(bench.outcomes()).toEqual([{ serialNumber, outcome: 'failed', reason: reason.slice(0, 500) }])
  expect(listWarnings(bench)).toEqual([
    `Warning: ${serialNumber}: try 1 of v1.js failed. ${reason}`,
    `Warning: ${serialNumber}: try 2 of v1.js failed. ${reason}`,
    `Warning: ${serialNumber}: try 3 of v1.js failed. ${reason}`,
    `Warning: ${serialNumber}: v1.js failed. ${reason}`,
  ])
})

test('a reader that cannot be read twice before the update has not failed', async () => {
  let refusals = 2
  const { bench, serialNumber } = await newBench((driver) => ({
    async read(...parts) {
      if (refusals-- > 0) throw new ReaderRefusal('Not now.')
      return driver.read(...parts)
    },
  }))
  await bench.publish([configuration, 'one'])
  await bench.lookUntil(() => bench.outcomes().length === 1)
  expect(bench.outcomes()).toEqual([{ serialNumber, outcome: 'applied', reason: null }])
  expect(bench.transitions.filter((transition) => transition === 'queued → postponed')).toHaveLength(2)
})

test('a reader that is not well and refuses three times to be returned has failed', async () => {
  const unwell = simulatedFirmware('CR2700', '5.1.0', unwellMarker)
  const delivered = simulatedFirmware('CR2700', '4.12.0')
  let calls = 0
  const { bench, serialNumber } = await newBench((driver) => ({
    async apply(...parts) {
      calls += 1
      if (calls > 1) throw new ReaderRefusal('Not now.')
      return driver.apply(...parts)
    },
  }))
  const previous = [{ version: '4.12.0', contentHash: sha256(delivered), size: delivered.length }]
  await bench.desire({ firmware: [makeFirmware(1, unwell, { previous, atOnce: true })] }, unwell, delivered)
  await bench.lookUntil(() => bench.outcomes().length === 1)
  expect(bench.outcomes()).toEqual([{ serialNumber, outcome: 'failed', reason: 'Not now.' }])
  expect(calls).toBe(4)
})

test('an update that is withdrawn while its reader is read stays as it is', async () => {
  const { bench } = await newBench((driver, getBench) => ({
    async read(...parts) {
      const reader = await driver.read(...parts)
      await getBench().desire({})
      return reader
    },
  }))
  await bench.publish([configuration, 'one'])
  await bench.look()
  expect([bench.transitions, bench.outcomes()]).toEqual([[], []])
  expect(listWarnings(bench)).toEqual([])
})

test('why an update failed without a try is in the log too', async () => {
  const { bench, serialNumber } = await newBench((driver) => ({
    read: async (...parts) => ({ ...(await driver.read(...parts)), batteryHealth: 20.5 }),
  }))
  await bench.desire({ configurations: [configuration], minBattery: 30 }, 'one')
  await bench.lookUntil(() => bench.outcomes().length === 1)
  expect(listWarnings(bench)).toEqual([`Warning: ${serialNumber}: v1.js failed. Battery at 20%. Update needs 30%.`])
})

test('a reader that fails as the agent ends is neither tried again nor in the log', async () => {
  const end = new AbortController()
  const { bench } = await newBench(() => ({
    async read() {
      end.abort()
      throw new ReaderRefusal('Not now.')
    },
  }))
  await bench.publish([configuration, 'one'])
  await bench.applier.look(end.signal)
  await bench.applier.idle()
  expect([bench.transitions, listWarnings(bench)]).toEqual([[], []])
})

test('a failure that cannot be written down is tried again, and the log says why', async () => {
  const { bench, serialNumber } = await newBench(() => ({
    async apply() {
      throw new ReaderRefusal('Not now.')
    },
  }))
  await bench.publish([configuration, 'one'])
  await bench.journal.close()
  const { journal } = bench.folder
  rmSync(journal, { force: true })
  mkdirSync(journal)
  await bench.lookUntil(() => listWarnings(bench).length > 3)
  expect(listWarnings(bench)[3]).toMatch(/^Warning: (EISDIR|EPERM)/)
  expect([bench.outcomes(), bench.transitions.at(-1)]).toEqual([[], 'applying → postponed'])
  rmdirSync(journal)
  await bench.lookUntil(() => bench.outcomes().length === 1)
  expect(bench.outcomes()).toEqual([{ serialNumber, outcome: 'failed', reason: 'Not now.' }])
})
