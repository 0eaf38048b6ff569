import { expect, test } from 'vitest'
import { overallState, permissionsFor, type RolloutContent, type RolloutState, rolloutTitle, sumOfCounts } from './rollouts.ts'

const withReaders = (...states: RolloutState[]) => states.map((state) => ({ state, readers: 1 }))

test('of several parts the state that matters most counts', () => {
  expect(overallState(withReaders('complete', 'halted', 'updating'))).toBe('updating')
  expect(overallState(withReaders('complete', 'scheduled', 'waitingForHost', 'halted'))).toBe('halted')
  expect(overallState([])).toBe('empty')
})

test('[SEE-01] complete is what is complete in all parts that have readers', () => {
  expect(overallState(withReaders('replaced', 'complete'))).toBe('replaced')
  const [empty, replaced] = [{ state: 'empty', readers: 0 } as const, { state: 'replaced', readers: 0 } as const]
  expect(overallState([empty, replaced, ...withReaders('complete')])).toBe('complete')
  expect(overallState([empty, replaced])).toBe('replaced')
})

test('counts are added state by state', () => {
  const one = { readers: 21, applied: 1, downloading: 2, waiting: 3, silent: 4, failed: 5, replaced: 6 }
  expect(sumOfCounts([one, one])).toEqual({ readers: 42, applied: 2, downloading: 4, waiting: 6, silent: 8, failed: 10, replaced: 12 })
  expect(sumOfCounts([])).toEqual({ readers: 0, applied: 0, downloading: 0, waiting: 0, silent: 0, failed: 0, replaced: 0 })
})

test('a title has the configurations and the firmware, each name once', () => {
  const configuration = (name: string): RolloutContent => ({ kind: 'configuration', name })
  const firmware = (name: string): RolloutContent => ({ kind: 'firmware', name })
  expect(rolloutTitle([configuration('b.js'), configuration('a.js'), configuration('b.js')])).toBe('a.js and b.js')
  expect(rolloutTitle([configuration('c.js'), configuration('a.js'), configuration('b.js')])).toBe('a.js and 2 more')
  expect(rolloutTitle([firmware('5.1.0'), firmware('5.1.0')])).toBe('Firmware 5.1.0')
  expect(rolloutTitle([firmware('5.1.0'), configuration('a.js')])).toBe('a.js with firmware 5.1.0')
})

test('each kind of content has its permission', () => {
  expect(permissionsFor(['configuration', 'firmware'])).toEqual(['manage:cfg', 'manage:firmware'])
})
