// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RolloutState } from './rollout-marks.tsx'
import { formatStart, formatStarts } from './rollout-words.ts'

beforeEach(() => {
  // Nothing has a size here.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const counts = { readers: 2, applied: 0, downloading: 0, waiting: 2, silent: 0, failed: 0, replaced: 0 }
const words = { now: new Date('2026-11-26T14:08:00Z'), viewer: 'UTC' }
const runs = [
  { at: '2026-11-27T08:00:00Z', timeZones: ['America/Chicago'] },
  { at: '2026-11-27T09:00:00Z', timeZones: ['America/Boise', 'America/Denver'] },
]
const whole =
  'tomorrow 02:00, in 17 h 52 min (Fri 27 Nov 2026, America/Chicago; 08:00 on your clock)\n' +
  'tomorrow 02:00, in 18 h 52 min (Fri 27 Nov 2026, America/Boise, America/Denver; 09:00 on your clock)'

test('[SEE-04] a row says its time in one phrase; the keyboard and the pointer find the rest, until Escape', async () => {
  render(<RolloutState of={{ state: 'scheduled', counts }} note={formatStart(runs, words)} whole={formatStarts(runs, words)} />)
  const phrase = screen.getByText('tomorrow 02:00 local, 2 time zones, first in 17 h 52 min')
  expect(phrase.tabIndex).toBe(0)
  expect(screen.queryByRole('tooltip')).toBeNull()
  vi.spyOn(phrase, 'matches').mockReturnValue(true)
  fireEvent.focus(phrase)
  const tooltip = await screen.findByRole('tooltip')
  expect(tooltip.textContent).toBe(whole)
  expect(phrase.getAttribute('aria-describedby')).toBe(tooltip.id)
  fireEvent.keyDown(phrase, { key: 'Escape' })
  expect(screen.queryByRole('tooltip')).toBeNull()
  fireEvent.pointerEnter(phrase)
  expect((await screen.findByRole('tooltip')).textContent).toBe(whole)
})

test('a note that leaves nothing out is no stop of the keyboard', () => {
  render(<RolloutState of={{ state: 'halted', counts }} note="by the safety limit" />)
  expect(screen.getByText('by the safety limit').tabIndex).toBe(-1)
})
