import type { RolloutPhase } from '@lectern/contract/publications/phases.ts'
import { expect, test } from 'vitest'
import { describePhase, explainPhase, formatFigures } from './phase-words.ts'

const gate = { maxFailedPercent: 5, maxSilentPercent: 10 }
const counts = { readers: 9, applied: 0, downloading: 0, waiting: 9, silent: 0, failed: 0, replaced: 0 }
const rollout = {
  id: '1',
  title: 'a',
  publishedAt: '2026-11-26T10:00:00Z',
  kinds: [],
  zones: [],
  zoneCount: 1,
  state: 'updating',
  runs: [],
  counts,
  models: [],
  isSummed: false,
  current: 1,
  isHalted: false,
  haltable: 0,
  canRollBack: true,
  events: [],
  failed: [],
  retryable: 0,
  phases: [],
  safetyLimit: {
    haltAbovePercent: null,
    stopTime: null,
    later: { haltAbovePercent: null, stopTime: null },
    zones: [],
    zoneCount: 0,
    halting: 0,
  },
  at: '2026-11-26T10:00:00Z',
} as const satisfies Parameters<typeof describePhase>[1]

const phase = (state: RolloutPhase['state'], more: Partial<RolloutPhase> = {}): RolloutPhase => ({
  number: 1,
  share: 10,
  soakMinutes: 0,
  gate,
  state,
  readers: 9,
  applied: 0,
  failed: 0,
  silent: 0,
  end: 1000,
  startedAt: '2026-11-26T10:00:00Z',
  ...more,
})
const look = (...[state, more]: Parameters<typeof phase>) => describePhase(phase(state, more), rollout, undefined)

test('[SEE-01] only a phase that all of its readers have is in the success colour', () => {
  expect(look('passed', { applied: 9 })).toEqual({ kind: 'ok', word: 'Passed' })
  expect(look('passed', { applied: 8, failed: 1 })).toEqual({ kind: 'warn', word: 'Passed, 1 failed' })
  expect(look('passed', { applied: 8 })).toEqual({ kind: 'unknown', word: 'Passed' })
  expect(look('done', { applied: 9 })).toEqual({ kind: 'ok', word: 'Complete' })
  expect(look('done', { applied: 7, failed: 2 })).toEqual({ kind: 'warn', word: 'Complete, 2 failed' })
  expect(look('done', { applied: 7, failed: 1, silent: 1 })).toEqual({ kind: 'unknown', word: 'Waits for silent readers' })
})

test('[SER-01] readers that no published command gives the content are named apart from failed ones', () => {
  const passed = { applied: 5, failed: 4, notPossible: 4 }
  expect(look('passed', passed)).toEqual({ kind: 'unknown', word: 'Passed, 4 not possible' })
  expect(look('passed', { ...passed, failed: 5, applied: 4 })).toEqual({ kind: 'warn', word: 'Passed, 1 failed' })
  expect(formatFigures(phase('running', passed))).toBe('5 applied, 4 not possible')
  expect(formatFigures(phase('running', { ...passed, failed: 6 }))).toBe('5 applied, 2 failed, 4 not possible')
})

test('[SEE-01] a phase that something newer, or a roll back, came before says so', () => {
  expect(look('ended', { applied: 4 })).toEqual({ kind: 'unknown', word: 'Ended by a newer rollout' })
  expect(describePhase(phase('ended'), { ...rollout, rolledBackBy: 'b' }, undefined).word).toBe('Ended by a roll back')
  expect(explainPhase(phase('ended', { startedAt: undefined }), rollout, undefined)).toBe('It did not begin.')
})

test('[SEE-02] a gate’s halt is told with the figures that it had, and those of now stand beside it as such', () => {
  const halted = phase('halted', { applied: 6, failed: 0, haltedBy: 'failed', haltedWith: { count: 3, readers: 9 } })
  expect(explainPhase(halted, rollout, undefined)).toBe('The rollout was halted, as 3 of 9 readers failed.')
  expect(formatFigures(halted)).toBe('now 6 applied, 0 failed')
  const silent = phase('halted', { applied: 8, silent: 0, haltedBy: 'silent', haltedWith: { count: 1, readers: 9 } })
  expect(explainPhase(silent, rollout, undefined)).toBe('The rollout was halted, as 1 of 9 readers was silent.')
  expect(formatFigures(silent)).toBe('now 8 applied, 0 silent')
  // A halt without figures: from before they were stored, or of zones that the viewer does not see.
  const unknown = phase('halted', { failed: 2, haltedBy: 'failed' })
  expect(explainPhase(unknown, rollout, undefined)).toBe('The rollout was halted, as too many of its readers failed.')
  const passed = explainPhase({ ...halted, state: 'passed' }, rollout, undefined)
  expect(passed).toMatch(/Its gate halted the rollout, as 3 of 9 readers failed; a user went on\.$/)
  expect(explainPhase({ ...halted, state: 'ended' }, rollout, undefined)).toMatch(/as 3 of 9 readers failed\.$/)
  expect(formatFigures(phase('running', { applied: 6 }))).toBe('6 applied')
})
