import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Driver, ReaderRefusal, ReaderUnreachable } from '../drivers/driver.ts'
import { changeReader } from '../drivers/simulated/driver.ts'
import { type Bench, createBench } from '../testing/bench.ts'
import { readEvents, startFleet } from '../testing/fleet.ts'
import { newFolder } from '../testing/folder.ts'
import { makeConfiguration, makeFirmware } from '../testing/publications.ts'

const never = new AbortController().signal
const atOnce = { atOnce: true }

/** What happens while the agent gives a content to a reader, or before. */
const events = ['refuses', 'does not answer', 'answers too late', 'killed before', 'killed after', 'in use', 'halted'] as const
type Event = (typeof events)[number]

/** The driver while `event` happens. `killed` is called when the agent counts as dead. */
const disturb = (driver: Driver, event: Event, killed: () => void): Driver => ({
  ...driver,
  async apply(...parts) {
    if (event === 'refuses') throw new ReaderRefusal('Not now.')
    if (event === 'does not answer') throw new ReaderUnreachable('It does not answer.')
    if (event !== 'killed before') await driver.apply(...parts)
    if (event === 'answers too late') throw new ReaderUnreachable('It has not answered in time.')
    if (!event.startsWith('killed')) return
    killed()
    return new Promise(() => {})
  },
})

test('whatever happens to agent and reader, the reader gets a publication once, has one outcome, and the outcome is true', {
  timeout: 120_000,
}, async () => {
  const { driver, folder } = await startFleet()
  const { serialNumber } = (await driver.list(never)).find(({ deviceType }) => deviceType === 'CR2700')!
  let revision = 0

  /** One part of the course: an agent on the same state folder, which is killed or not. */
  async function pass(state: string, parts: Parameters<Bench['desire']>, event: Event | null): Promise<Bench> {
    const killed = Promise.withResolvers<void>()
    const bench = await createBench(event ? disturb(driver, event, killed.resolve) : driver, { state })
    await changeReader(folder, serialNumber, event === 'in use' ? 'use' : 'put-down')
    await bench.desire(...parts)
    bench.clock.now = Date.UTC(2026, 0, 11)
    if (event === null) await bench.lookUntil(() => bench.journal.hasOutcome(bench.desired.assignments[0]!.publication, serialNumber))
    else {
      await bench.applier.look(never)
      await Promise.race([bench.applier.idle(), killed.promise])
    }
    return bench
  }

  const kinds = fc.constantFrom('configuration', 'firmware', 'own firmware')
  await fc.assert(
    fc.asyncProperty(kinds, fc.array(fc.constantFrom(...events), { maxLength: 5 }), async (kind, course) => {
      revision += 1
      const text = `content ${revision}`
      const state = newFolder()
      const version = kind === 'firmware' ? `5.${revision}.0` : null
      const parts = (halted: boolean): Parameters<Bench['desire']> =>
        kind === 'configuration'
          ? [{ configurations: [makeConfiguration(revision, text, { ...atOnce, halted })] }, text]
          : [{ firmware: [makeFirmware(revision, text, { version, ...atOnce, halted })] }, text]
      for (const event of course) await pass(state, parts(event === 'halted'), event)
      const last = await pass(state, parts(false), null)

      const { publication } = last.desired.assignments[0]!
      const completed = readEvents(folder, serialNumber).filter(
        (line) => line.event === 'complete' && 'publication' in line && line.publication === publication,
      )
      expect(last.outcomes()).toEqual([{ serialNumber, outcome: 'applied', reason: null }])
      expect(completed).toHaveLength(1)
      await last.look()
      expect(last.transitions.filter((transition) => transition.endsWith('settled'))).toHaveLength(last.transitions.length > 0 ? 1 : 0)
      expect(last.outcomes()).toHaveLength(1)
    }),
    { numRuns: 20 },
  )
})
