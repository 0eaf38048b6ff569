// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { listAddress, text, useList } from './list-address.ts'

afterEach(cleanup)

const address = listAddress({ filters: { from: text(), to: text() } })

function Page() {
  const { state, show, clear } = useList(address)
  return (
    <>
      <button type="button" onClick={() => show({ from: '2026-01-01' })}>
        From
      </button>
      <button type="button" onClick={() => show({ to: '2026-01-31' })}>
        To
      </button>
      <button type="button" onClick={clear}>
        Clear
      </button>
      {state.from} {state.to}
    </>
  )
}

function open() {
  const router = createMemoryRouter([{ path: '/', Component: Page }])
  render(<RouterProvider router={router} />)
  const click = (...names: string[]) => act(async () => names.forEach((name) => void fireEvent.click(screen.getByRole('button', { name }))))
  return { click, search: () => router.state.location.search, router }
}

test('of two filters that are set before the list is drawn again both count', async () => {
  const { click, search } = open()
  await click('From', 'To')
  expect(search()).toBe('?from=2026-01-01&to=2026-01-31')
  await click('Clear', 'To')
  expect(search()).toBe('?to=2026-01-31')
})

test('after Back the next filter is added to what is shown then', async () => {
  const { click, search, router } = open()
  await click('From')
  await act(() => router.navigate(-1))
  await click('To')
  expect(search()).toBe('?to=2026-01-31')
})
