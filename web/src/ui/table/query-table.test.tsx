// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { QueryTable } from './query-table.tsx'
import { columnHelper } from './table-columns.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }))
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const column = columnHelper<{ id: string }>()
const columns = column.columns([column.accessor('id', { header: 'Zone' })])
const rows = [{ id: 'ICU' }]
const shown = { data: rows, dataUpdatedAt: 0, error: null, refetch: () => undefined }
const table = (query: { isFetching: boolean; isPlaceholderData: boolean; failureCount?: number }) => (
  <QueryTable
    label="Zones"
    columns={columns}
    query={{ ...shown, ...query }}
    rows={(all) => all}
    rowId={({ id }) => id}
    failed="Error loading zones"
    empty="None"
  />
)
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds))
const words = 'Still trying to load the rows …'

test('[SEE-07] rows of another filter say so beside them after a second, until those that were asked for are there', () => {
  const { rerender } = render(table({ isFetching: true, isPlaceholderData: true }))
  pass(999)
  expect(screen.queryByText(words)).toBeNull()
  pass(1)
  expect(screen.getByRole('status').textContent).toBe(words)
  expect(screen.getByText('ICU')).toBeDefined()
  rerender(table({ isFetching: false, isPlaceholderData: false }))
  expect(screen.queryByText(words)).toBeNull()
})

test('[SEE-07] rows that could not be read again say so a second after the first failure, not while a read only takes its time', () => {
  const { rerender } = render(table({ isFetching: true, isPlaceholderData: false, failureCount: 0 }))
  pass(5_000)
  expect(screen.queryByText(words)).toBeNull()
  rerender(table({ isFetching: true, isPlaceholderData: false, failureCount: 1 }))
  pass(1_000)
  expect(screen.getByRole('status').textContent).toBe(words)
})
