// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { Stepper, WizardBar } from './stepper.tsx'

afterEach(cleanup)

const STEPS = [
  { id: 'select', label: 'Select Zone and Devices' },
  { id: 'configure', label: 'Configure devices' },
  { id: 'review', label: 'Review' },
]

test('[WIZ-09] steps before the active one are done, it is current, those after it are upcoming', () => {
  render(<Stepper label="Progress" steps={STEPS} active="configure" />)
  const items = screen.getAllByRole('listitem')
  expect(items.map((item) => item.textContent)).toEqual(['Select Zone and Devices done', '2Configure devices', '3Review upcoming'])
  expect(items.map((item) => item.getAttribute('aria-current'))).toEqual([null, 'step', null])
  expect(items[0]?.querySelector('svg')).not.toBeNull()
})

test('[WIZ-10] without an active step: "Active step not found"', () => {
  const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  expect(() => render(<Stepper label="Progress" steps={STEPS} active="publish" />)).toThrow('Active step not found')
  expect(() => render(<Stepper label="Progress" steps={[]} active="select" />)).toThrow('Active step not found')
  silent.mockRestore()
})

test('the wizard bar counts the steps and leads out', () => {
  render(
    <MemoryRouter>
      <WizardBar label="Progress" steps={STEPS} active="review" back={{ to: '/codedm', label: 'Device Management Home' }} />
    </MemoryRouter>,
  )
  expect(screen.getByText('Step 3 of 3')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Device Management Home' }).getAttribute('href')).toBe('/codedm')
})
