import { expect, test } from 'vitest'
import { checkPhases } from './run.ts'

/** `npm run check:phases` does the same with 40,000 readers. */
test('[PHA-03] after a gate that fails, and while the server is killed at one that passes, no reader of a later phase begins', {
  timeout: 180_000,
}, async ({ signal }) => {
  const { readers, halted, passed } = await checkPhases({
    hosts: 6,
    readersPerHost: 20,
    processes: 3,
    share: 40,
    kills: 1,
    poll: 0.5,
    watch: 1_000,
    print: () => undefined,
    signal,
  })
  expect(readers).toBe(120)
  expect(halted.phase).toMatchObject({ state: 'halted', haltedBy: 'failed' })
  expect(halted.started).toBeGreaterThan(0)
  expect([halted.startedLater, halted.startedOnReturn]).toEqual([0, 0])
  expect(passed.kills).toBe(1)
  expect(passed.phases.map(({ state }) => state)).toEqual(['passed', 'byHand', 'waiting'])
  expect(passed.started).toEqual([passed.phases[0]!.readers, passed.phases[1]!.readers, 0])
})
