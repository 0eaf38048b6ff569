// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Pager } from './pager.tsx'
import { Table } from './table.tsx'
import { columnHelper } from './table-columns.ts'

let narrow = false

beforeEach(() => {
  narrow = false
  vi.stubGlobal('matchMedia', () => ({ matches: narrow, addEventListener: () => undefined, removeEventListener: () => undefined }))
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

interface Row {
  id: string
  zone: string
  readers: number
}

const column = columnHelper<Row>()
const COLUMNS = column.columns([
  column.accessor('zone', { header: 'Zone', meta: { record: 'title' } }),
  column.accessor('readers', { header: 'Readers', sortDescFirst: true, meta: { numeric: true } }),
  column.display({
    id: 'actions',
    header: 'Actions',
    meta: { record: 'action' },
    cell: ({ row }) => <button type="button">Delete {row.original.zone}</button>,
  }),
])
const ROWS: Row[] = [
  { id: 'b', zone: 'Lab', readers: 38 },
  { id: 'a', zone: 'ICU', readers: 118 },
  { id: 'c', zone: 'ED', readers: 74 },
]
const rowId = (row: Row) => row.id
const zones = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.firstElementChild?.textContent)

test('a table without onSort sorts by itself; heads say by what', () => {
  render(<Table label="Zones" columns={COLUMNS} rows={ROWS} rowId={rowId} sort={{ id: 'zone', descending: false }} />)
  expect(zones()).toEqual(['ED', 'ICU', 'Lab'])
  fireEvent.click(screen.getByRole('button', { name: 'Zone' }))
  expect(zones()).toEqual(['Lab', 'ICU', 'ED'])
  fireEvent.click(screen.getByRole('button', { name: 'Readers' }))
  expect(zones()).toEqual(['ICU', 'ED', 'Lab'])
  expect(screen.getAllByRole('columnheader').map((head) => head.getAttribute('aria-sort'))).toEqual([null, 'descending', null])
  expect(screen.queryByRole('button', { name: 'Actions' })).toBeNull()
})

test('a table with onSort keeps the order it was given and asks for another', () => {
  const onSort = vi.fn()
  render(<Table label="Zones" columns={COLUMNS} rows={ROWS} rowId={rowId} sort={{ id: 'zone', descending: true }} onSort={onSort} />)
  expect(zones()).toEqual(['Lab', 'ICU', 'ED'])
  fireEvent.click(screen.getByRole('button', { name: 'Zone' }))
  fireEvent.click(screen.getByRole('button', { name: 'Readers' }))
  expect(onSort.mock.calls).toEqual([[{ id: 'zone', descending: false }], [{ id: 'readers', descending: true }]])
})

test('on a narrow screen there are records and a Sort select, and no heads to reach', async () => {
  narrow = true
  render(<Table label="Zones" columns={COLUMNS} rows={ROWS} rowId={rowId} sort={{ id: 'readers', descending: true }} />)
  expect(screen.queryByRole('table')).toBeNull()
  expect((await screen.findByRole('combobox', { name: 'Sort by' })).textContent).toBe('Readers')
  expect(screen.getAllByRole('listitem').map((record) => record.textContent)).toEqual([
    'ICUReaders118Delete ICU',
    'EDReaders74Delete ED',
    'LabReaders38Delete Lab',
  ])
})

test('an empty table shows what it was given for that', () => {
  render(<Table label="Zones" columns={COLUMNS} rows={[]} rowId={rowId} empty={<p>No zones.</p>} />)
  expect(screen.getByText('No zones.')).toBeTruthy()
  expect(screen.queryByRole('table')).toBeNull()
})

test('a pager says what is on screen and goes where it can', () => {
  const onPage = vi.fn()
  render(<Pager page={1} pageSize={10} total={4218} noun="devices" onPage={onPage} onPageSize={() => undefined} />)
  expect(screen.getByText(/of 4,218 devices/).textContent).toBe('1–10 of 4,218 devices')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous page' }).disabled).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Next page' }))
  fireEvent.click(screen.getByRole('button', { name: 'Last page' }))
  const input = screen.getByRole('textbox', { name: 'Page' })
  fireEvent.change(input, { target: { value: '9999' } })
  fireEvent.keyDown(input, { key: 'Enter' })
  fireEvent.change(input, { target: { value: 'x' } })
  fireEvent.blur(input)
  expect(onPage.mock.calls.flat()).toEqual([2, 422, 422])
})
