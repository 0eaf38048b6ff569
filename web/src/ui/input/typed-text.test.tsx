// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, Link, RouterProvider, useSearchParams } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useTypedText } from './typed-text.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function List() {
  const [address, setAddress] = useSearchParams()
  const [typed, type] = useTypedText(address.get('search') ?? '', (search) => setAddress({ search }))
  return (
    <>
      <input value={typed} onChange={(event) => type(event.target.value)} />
      <Link to="/result">Result</Link>
      <Link to="?page=2">Next</Link>
    </>
  )
}

/** A list with a search box, and a page behind its result, whose code comes once `arrive` is called. */
function stand() {
  let arrive = () => {}
  const code = new Promise<{ Component: () => string }>((resolve) => {
    arrive = () => resolve({ Component: () => 'The result' })
  })
  const router = createMemoryRouter([
    { path: '/', Component: List },
    { path: '/result', lazy: () => code },
  ])
  render(<RouterProvider router={router} />)
  const where = () => `${router.state.location.pathname}${router.state.location.search}`
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const type = (value: string) => fireEvent.change(screen.getByRole('textbox'), { target: { value } })
  const click = (name: string) => act(async () => void fireEvent.click(screen.getByRole('link', { name })))
  return { arrive, where, pass, type, click }
}

test('a text is told once nobody has typed for a while', async () => {
  const { where, pass, type } = stand()
  type('a')
  await pass(200)
  type('ab')
  await pass(200)
  expect(where()).toBe('/')
  await pass(100)
  expect(where()).toBe('/?search=ab')
})

test('whoever clicks a result before the text is told comes to the result, however long its page takes to come', async () => {
  const { arrive, where, pass, type, click } = stand()
  type('ab')
  await click('Result')
  await pass(1_000)
  expect(screen.getByRole('textbox')).toHaveProperty('value', 'ab')
  await act(async () => arrive())
  await pass(1_000)
  expect([where(), document.body.textContent]).toEqual(['/result', 'The result'])
})

test('a click that stays on the page delays the text and does not lose it', async () => {
  const { where, pass, type, click } = stand()
  type('ab')
  await pass(200)
  await click('Next')
  await pass(200)
  expect(where()).toBe('/?page=2')
  await pass(100)
  expect(where()).toBe('/?search=ab')
})
