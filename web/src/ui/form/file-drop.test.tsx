// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type ComponentProps, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { FileDrop } from './file-drop.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const SCRIPT = { 'text/javascript': ['.js'] }

function Drop(props: Partial<ComponentProps<typeof FileDrop>>) {
  const [files, setFiles] = useState<File[]>([])
  return <FileDrop prompt="Drag files here" files={files} onChange={setFiles} {...props} />
}

function file(name: string, size = 3, type = '') {
  return new File(['x'.repeat(size)], name, { type })
}

function drop(...files: File[]) {
  const zone = screen.getByText('Drag files here').closest('.file-drop-zone')
  if (!zone) throw new Error('no drop zone')
  fireEvent.drop(zone, {
    dataTransfer: { files, items: files.map((each) => ({ kind: 'file', type: each.type, getAsFile: () => each })), types: ['Files'] },
  })
}

const errors = () => screen.queryAllByRole('alert').flatMap((alert) => Array.from(alert.children, (child) => child.textContent))
const rows = () => screen.queryAllByRole('listitem').map((row) => row.textContent)

test('[UIP-07] a file of another type says which types there are, and is not taken', async () => {
  render(<Drop accept={{ 'application/octet-stream': ['.ufw', '.crvfw'] }} />)
  drop(file('notes.txt', 3, 'text/plain'))
  await waitFor(() => expect(errors()).toEqual(['File type must be .ufw, .crvfw']))
  expect(rows()).toEqual([])
})

test('[UIP-08] a file beyond a limit says the limit in bytes', async () => {
  render(<Drop maxSize={2048} minSize={10} />)
  drop(file('large.bin', 2049))
  await waitFor(() => expect(errors()).toEqual(['File is larger than 2048 bytes']))
  drop(file('small.bin', 9))
  await waitFor(() => expect(errors()).toEqual(['File is smaller than 10 bytes']))
  expect(rows()).toEqual([])
  drop(file('right.bin', 10))
  await waitFor(() => expect(rows()).toEqual(['right.bin10 bytes']))
  expect(errors()).toEqual([])
})

test('[UIP-08] there are no size limits by default', async () => {
  render(<Drop />)
  drop(file('empty.bin', 0))
  await waitFor(() => expect(rows()).toEqual(['empty.bin0 bytes']))
  drop(file('large.bin', 20 * 1024 * 1024))
  await waitFor(() => expect(rows()).toEqual(['large.bin20 MB']))
  expect(errors()).toEqual([])
})

test('[UIP-09] more files than allowed: "Too many files", and none of them is taken', async () => {
  render(<Drop accept={SCRIPT} />)
  drop(file('a.js'), file('b.js'))
  await waitFor(() => expect(errors()).toEqual(['Too many files']))
  expect(rows()).toEqual([])
})

test('[UIP-09] files dropped one after the other count together', async () => {
  render(<Drop maxFiles={2} />)
  drop(file('a.js'), file('b.js'))
  await waitFor(() => expect(rows()).toHaveLength(2))
  drop(file('c.js'))
  await waitFor(() => expect(errors()).toEqual(['Too many files']))
  fireEvent.click(screen.getByRole('button', { name: 'Remove a.js' }))
  drop(file('c.js'))
  await waitFor(() => expect(rows()).toEqual(['b.js3 bytes', 'c.js3 bytes']))
})

test('a new single file takes the place of the old one, and can be removed', async () => {
  render(<Drop accept={SCRIPT} />)
  drop(file('a.js'))
  await waitFor(() => expect(rows()).toEqual(['a.js3 bytes']))
  drop(file('b.js'))
  await waitFor(() => expect(rows()).toEqual(['b.js3 bytes']))
  fireEvent.click(screen.getByRole('button', { name: 'Remove b.js' }))
  expect(rows()).toEqual([])
})

test('[UIP-10] the file dialog counts as cancelled 300 ms after the window has focus again', () => {
  vi.useFakeTimers()
  const onCancel = vi.fn()
  render(<Drop onCancel={onCancel} />)
  fireEvent.click(screen.getByRole('button', { name: 'Import a File' }))
  act(() => void vi.runOnlyPendingTimers())
  fireEvent.focus(window)
  act(() => void vi.advanceTimersByTime(299))
  expect(onCancel).not.toHaveBeenCalled()
  act(() => void vi.advanceTimersByTime(1))
  expect(onCancel).toHaveBeenCalledOnce()
})
