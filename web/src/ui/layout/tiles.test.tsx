// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { type Tile, Tiles } from './tiles.tsx'

afterEach(cleanup)

const TILES: Tile<'all' | 'offline' | 'battery'>[] = [
  { value: 'all', label: 'All Devices', count: 4218 },
  { value: 'offline', label: 'Offline', count: 'loading' },
  { value: 'battery', label: 'Battery Health', count: 'error' },
]

function Shown() {
  const [value, setValue] = useState<'all' | 'offline' | 'battery'>('all')
  return <Tiles label="Filter devices" tiles={TILES} value={value} onChange={setValue} />
}

test('[DSH-06] a tile whose totals failed shows "?" with the title "error loading data"', () => {
  render(<Shown />)
  expect(screen.getByTitle('error loading data').textContent).toBe('?')
  expect(screen.getByRole('radio', { name: /Battery Health/ }).contains(screen.getByTitle('error loading data'))).toBe(true)
})

test('[DSH-07] a tile whose totals are loading shows "..." with the title "loading..."', () => {
  render(<Shown />)
  expect(screen.getByTitle('loading...').textContent).toBe('...')
  expect(screen.getByRole('radio', { name: /Offline/ }).contains(screen.getByTitle('loading...'))).toBe(true)
})

test('a tile with totals shows the number; a click chooses it, one radio is reached by Tab', () => {
  render(<Shown />)
  const [all, offline] = screen.getAllByRole('radio')
  expect(all?.textContent).toContain('4,218')
  expect(all?.getAttribute('aria-checked')).toBe('true')
  fireEvent.click(offline as Element)
  expect(screen.getAllByRole('radio').map((radio) => radio.getAttribute('aria-checked'))).toEqual(['false', 'true', 'false'])
})
