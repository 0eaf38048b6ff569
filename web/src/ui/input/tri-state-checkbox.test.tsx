// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { type TriState, TriStateCheckbox } from './tri-state-checkbox.tsx'

afterEach(cleanup)

test('[UIP-04] indeterminate, checked, unchecked, and indeterminate again', () => {
  function Shown() {
    const [value, setValue] = useState<TriState>('indeterminate')
    return <TriStateCheckbox label="Beeper" value={value} onChange={setValue} />
  }
  render(<Shown />)
  const box = screen.getByRole('checkbox', { name: 'Beeper' })
  const seen = Array.from({ length: 4 }, () => {
    const state = [box.getAttribute('aria-checked'), box.textContent]
    fireEvent.click(box)
    return state
  })
  expect(seen).toEqual([
    ['mixed', 'No change'],
    ['true', 'On'],
    ['false', 'Off'],
    ['mixed', 'No change'],
  ])
})
