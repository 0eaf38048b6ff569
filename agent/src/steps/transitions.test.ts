import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Desired } from '@lectern/contract/hosts.ts'
import { expect, test } from 'vitest'
import { type Driver, ReaderRefusal } from '../drivers/driver.ts'
import { changeReader } from '../drivers/simulated/driver.ts'
import { simulatedFirmware, unwellMarker } from '../drivers/simulated/reader.ts'
import { type Bench, createBench } from '../testing/bench.ts'
import { startFleet } from '../testing/fleet.ts'
import { newFolder } from '../testing/folder.ts'
import { startPeer } from '../testing/peer.ts'
import { makeConfiguration, makeFirmware, sha256 } from '../testing/publications.ts'
import { rows, type State } from './states.ts'
import type { Transition, Update } from './update.ts'
import { enter } from './update-reader.ts'

const never = new AbortController().signal
const atOnce = { atOnce: true }
const configuration = makeConfiguration(1, 'one', atOnce)
const refused = 'simulated-reader: refuse'
const unwell = simulatedFirmware('CR2700', '5.1.0', unwellMarker)
const delivered = simulatedFirmware('CR2700', '4.12.0')
const previous = [{ version: '4.12.0', contentHash: sha256(delivered), size: delivered.length }]
/** After the publication. */
const later = Date.UTC(2026, 0, 10, 12, 1)
const unwellFirmware = makeFirmware(1, unwell, { previous, ...atOnce })

/** The fleet's one CR2700, and a bench whose driver the test may change. */
async function newBench(change: (driver: Driver) => Partial<Driver> = () => ({}), state = newFolder()) {
  const { driver, folder } = await startFleet()
  const { serialNumber } = (await driver.list(never)).find(({ deviceType }) => deviceType === 'CR2700')!
  const bench = await createBench({ ...driver, ...change(driver) }, { state })
  bench.clock.now = later
  return { bench, driver, folder, serialNumber, state }
}

const settle = (bench: Bench) => bench.lookUntil(() => bench.outcomes().length === 1)

const declared = [
  ...['queued → downloading', 'queued → postponed', 'queued → applying', 'queued → verifying', 'queued → settled', 'queued → failed'],
  ...['downloading → queued', 'postponed → queued'],
  ...['applying → postponed', 'applying → verifying', 'applying → failed'],
  ...['verifying → postponed', 'verifying → settled', 'verifying → failed'],
].sort()

/** What happens, and the transitions that it takes. */
const paths: Record<string, { transitions: string[]; happen: () => Promise<Bench> }> = {
  'a reader takes an update': {
    transitions: ['queued → applying', 'applying → verifying', 'verifying → settled'],
    async happen() {
      const { bench } = await newBench()
      await bench.publish([configuration, 'one'])
      await settle(bench)
      return bench
    },
  },
  'a reader runs it already': {
    transitions: ['queued → settled'],
    async happen() {
      const { bench, driver } = await newBench()
      await bench.publish([configuration, 'one'])
      await settle(bench)
      const second = await createBench(driver)
      await second.publish([configuration, 'one'])
      await settle(second)
      return second
    },
  },
  'the content arrives after the update time': {
    transitions: ['queued → downloading', 'downloading → queued', 'queued → applying', 'applying → verifying', 'verifying → settled'],
    async happen() {
      const { bench } = await newBench()
      await bench.desire({ configurations: [configuration] })
      await bench.look()
      writeFileSync(join(bench.folder.contents, configuration.contentHash), 'one')
      await settle(bench)
      return bench
    },
  },
  'the content arrives damaged three times': {
    transitions: ['queued → downloading', 'downloading → queued', 'queued → failed'],
    async happen() {
      const { driver } = await newBench()
      const peer = await startPeer((_call, response) => void response.end('ONE'))
      const bench = await createBench(driver, { server: peer.url })
      bench.clock.now = later
      await bench.desire({ configurations: [configuration] })
      await bench.look()
      for (let time = 0; time < 3; time += 1)
        await bench.context.downloads.fetchAll(bench.desired.contents, never).catch((error) => expect(error.message).toContain('SHA-256'))
      await settle(bench)
      expect(bench.outcomes()[0]?.reason).toBe('The configuration arrived damaged 3 times. The reader was not updated.')
      return bench
    },
  },
  'a reader is in use and put down': {
    transitions: ['queued → postponed', 'postponed → queued', 'queued → applying', 'applying → verifying', 'verifying → settled'],
    async happen() {
      const { bench, folder, serialNumber } = await newBench()
      await changeReader(folder, serialNumber, 'use')
      await bench.publish([configuration, 'one'])
      await bench.look()
      await changeReader(folder, serialNumber, 'put-down')
      await settle(bench)
      return bench
    },
  },
  'a battery is too low': {
    transitions: ['queued → failed'],
    async happen() {
      const { bench } = await newBench()
      await bench.desire({ configurations: [configuration], minBattery: 100 }, 'one')
      await settle(bench)
      return bench
    },
  },
  'a reader refuses three times': {
    transitions: [
      ...['queued → applying', 'applying → postponed', 'postponed → queued'],
      ...['queued → applying', 'applying → postponed', 'postponed → queued'],
      ...['queued → applying', 'applying → failed'],
    ],
    async happen() {
      const { bench } = await newBench()
      await bench.publish([makeConfiguration(1, refused, atOnce), refused])
      await settle(bench)
      return bench
    },
  },
  'a reader is not well afterwards and refuses to be returned once': {
    transitions: [
      ...['queued → applying', 'applying → verifying', 'verifying → postponed', 'postponed → queued'],
      ...['queued → verifying', 'verifying → failed'],
    ],
    async happen() {
      let calls = 0
      const { bench } = await newBench((driver) => ({
        async apply(...parts) {
          calls += 1
          if (calls === 2) throw new ReaderRefusal('Not now.')
          return driver.apply(...parts)
        },
      }))
      await bench.desire({ firmware: [unwellFirmware] } satisfies Partial<Desired>, unwell, delivered)
      await settle(bench)
      return bench
    },
  },
  'the agent is killed after a reader has changed over': {
    transitions: ['queued → verifying', 'verifying → failed'],
    async happen() {
      const applied = Promise.withResolvers<void>()
      const { bench, driver, state } = await newBench((real) => ({
        async apply(...parts) {
          await real.apply(...parts)
          applied.resolve()
          return new Promise(() => {})
        },
      }))
      await bench.desire({ firmware: [unwellFirmware] }, unwell, delivered)
      await bench.applier.look(never)
      await applied.promise
      const next = await createBench(driver, { state })
      await settle(next)
      return next
    },
  },
}

const taken = new Set<string>()

test.for(Object.entries(paths))('%s', async ([, { transitions, happen }]) => {
  const bench = await happen()
  expect(bench.transitions).toEqual(transitions)
  for (const transition of transitions) taken.add(transition)
})

test('every transition of the table is taken by one of these', () => {
  expect([...taken].sort()).toEqual(declared)
  expect(rows.flatMap(([from, { leadsTo }]) => leadsTo.map((to) => `${from} → ${to}`)).sort()).toEqual(declared)
})

test('a transition that the table does not have is refused and leaves everything as it was', async () => {
  const { bench, serialNumber } = await newBench()
  await bench.publish([configuration, 'one'])
  const assignment = bench.desired.assignments[0]!
  const content = (await bench.context.downloads.open(configuration.contentHash))!
  const details = { reason: 'Why.', milliseconds: 1, content }
  for (const [from] of rows)
    for (const [to] of rows.filter(([to]) => !declared.includes(`${from} → ${to}`))) {
      const update: Update = { assignment, serialNumber, state: from as State, isImpossible: false, content: null, tries: 0, notBefore: 0 }
      await expect(enter(update, { to, ...details } as Transition, bench.context)).rejects.toThrow(
        `An update that is ${from} cannot become ${to}.`,
      )
      expect(update).toEqual({ assignment, serialNumber, state: from, isImpossible: false, content: null, tries: 0, notBefore: 0 })
    }
  expect(bench.outcomes()).toEqual([])
  expect(bench.transitions).toEqual([])
})
