// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Select } from './select.tsx'

// Nothing has a size here.
beforeEach(
  () =>
    void vi.stubGlobal(
      'ResizeObserver',
      class {
        observe() {}
        disconnect() {}
      },
    ),
)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const options = ['Namibia', 'Uganda', 'Ukraine', 'United States'].map((label) => ({ value: label, label }))

test('[UIP-05] an item whose value is the empty string is refused', () => {
  const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const withEmpty = [...options, { value: '', label: 'No change' }]
  expect(() => render(<Select label="Country" options={withEmpty} value={undefined} onChange={() => undefined} />)).toThrow(
    'must not have the empty string',
  )
  silent.mockRestore()
})

test('[UIP-06] what is typed finds an option; after 1 s it is forgotten', () => {
  vi.useFakeTimers()
  function Shown() {
    const [value, setValue] = useState<string>()
    return <Select label="Country" options={options} value={value} onChange={setValue} placeholder="Country" />
  }
  render(<Shown />)
  const select = screen.getByRole('combobox')
  const typeAfter = (ms: number, key: string) => {
    act(() => vi.advanceTimersByTime(ms))
    fireEvent.keyDown(select, { key })
    return select.textContent
  }
  expect([typeAfter(0, 'u'), typeAfter(999, 'n')]).toEqual(['Uganda', 'United States'])
  expect([typeAfter(1_000, 'u'), typeAfter(1_000, 'n')]).toEqual(['Uganda', 'Namibia'])
})

test('[UIP-06] Enter right after the letters chooses the typed option, before any timer has run', () => {
  vi.useFakeTimers()
  Element.prototype.scrollIntoView = () => undefined
  const chosen = vi.fn()
  const spaced = [...options, { value: 'United Kingdom', label: 'United Kingdom' }]
  render(<Select label="Country" options={spaced} value="Namibia" onChange={chosen} />)
  const type = (keys: readonly string[]) => {
    for (const key of keys) fireEvent.keyDown(document.activeElement!, { key })
  }
  screen.getByRole('combobox').focus()
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' })
  // The menu takes the focus once it is placed, which jsdom does not do.
  screen.getByRole('option', { name: 'Namibia' }).focus()
  type([...'united k', 'Enter'])
  expect(chosen).toHaveBeenCalledExactlyOnceWith('United Kingdom')
})

test('[SEE-06] one of thousands is typed: those that match are suggested, its whole name chooses it, and another text keeps what is chosen', () => {
  const chosen = vi.fn()
  const stores = Array.from({ length: 5_000 }, (_, index) => ({ value: `id-${index}`, label: `Store ${index}` }))
  const { baseElement } = render(<Select label="Zone" options={stores} value="id-7" onChange={chosen} placeholder="Choose a zone" />)
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Zone' })
  expect(field.value).toBe('Store 7')
  const offered = () => [...baseElement.querySelectorAll('option')].map(({ value }) => value)
  fireEvent.change(field, { target: { value: 'store 499' } })
  expect(offered()).toEqual(['Store 499', ...Array.from({ length: 10 }, (_, index) => `Store ${4_990 + index}`)])
  expect(chosen).toHaveBeenCalledExactlyOnceWith('id-499')
  fireEvent.change(field, { target: { value: 'stor' } })
  expect(offered()).toHaveLength(50)
  fireEvent.blur(field)
  expect(field.value).toBe('Store 7')
  expect(chosen).toHaveBeenCalledOnce()
  fireEvent.change(field, { target: { value: ' STORE 4321 ' } })
  expect(chosen).toHaveBeenLastCalledWith('id-4321')
})
