// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { ToastProvider } from '../feedback/toast.tsx'
import { Confirm } from './confirm.tsx'
import { useConfirmDelete } from './confirm-delete.tsx'
import { DialogProvider, useDialog } from './dialog.tsx'
import { DialogPanel } from './dialog-panel.tsx'

afterEach(cleanup)

type Dialogs = ReturnType<typeof useDialog>

/** A page with a focused button, under a provider. Returns the page's `useDialog()`. */
function showPage(): Dialogs {
  let dialogs: Dialogs | undefined
  function Opener() {
    dialogs = useDialog()
    return <button type="button">Opener</button>
  }
  function Page() {
    const [there, setThere] = useState(true)
    return (
      <ToastProvider>
        <DialogProvider>
          {there && <Opener />}
          <button type="button" onClick={() => setThere(false)}>
            Leave
          </button>
        </DialogProvider>
      </ToastProvider>
    )
  }
  render(<Page />)
  screen.getByText('Opener').focus()
  if (!dialogs) throw new Error('the page did not render')
  return dialogs
}

test('[UIP-01] a second dialog is refused, the first one stays, and afterwards one may open again', async () => {
  const { open } = showPage()
  const panel = (title: string) => () => (
    <DialogPanel title={title} actions={<button type="button">OK</button>}>
      Text
    </DialogPanel>
  )
  let first: Promise<unknown> | undefined
  act(() => {
    first = open(panel('First'))
  })
  // At once, and after the first one is on screen.
  await expect(open(panel('Second'))).rejects.toThrow('Dialog is already open')
  expect(await screen.findByRole('dialog', { name: 'First' })).toBeTruthy()
  await expect(open(panel('Second'))).rejects.toThrow('Dialog is already open')
  expect(screen.getAllByRole('dialog')).toHaveLength(1)

  fireEvent.keyDown(document, { key: 'Escape' })
  await act(async () => expect(await first).toBeUndefined())
  act(() => void open(panel('Third')))
  expect(await screen.findByRole('dialog', { name: 'Third' })).toBeTruthy()
})

test('[UIP-01] of two dialogs asked for before the first one is drawn, the second is refused', async () => {
  const { open } = showPage()
  await act(async () => {
    void open(() => <Confirm title="First" close={() => undefined} children="Text" />)
    await expect(open(() => null)).rejects.toThrow('Dialog is already open')
  })
  expect(await screen.findByRole('dialog', { name: 'First' })).toBeTruthy()
})

test('[UIP-02] a dialog resolves with the value it was closed with', async () => {
  const { open } = showPage()
  let answer: Promise<string | undefined> | undefined
  act(() => {
    answer = open<string>((close) => (
      <DialogPanel title="Pick" actions={<button type="button" onClick={() => close('CR2700')} children="Take it" />}>
        Text
      </DialogPanel>
    ))
  })
  fireEvent.click(await screen.findByText('Take it'))
  await act(async () => expect(await answer).toBe('CR2700'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('[UIP-02] Esc resolves with undefined and gives focus back; so does its opener leaving', async () => {
  const { open } = showPage()
  let answer: Promise<boolean | undefined> | undefined
  const ask = () => {
    answer = open<boolean>((close) => (
      <Confirm title="Delete" destructive close={close}>
        Gone
      </Confirm>
    ))
  }
  act(ask)
  await expect.poll(() => document.activeElement?.textContent).toBe('Back')
  fireEvent.keyDown(document, { key: 'Escape' })
  await act(async () => expect(await answer).toBeUndefined())
  await expect.poll(() => document.activeElement?.textContent).toBe('Opener')

  act(ask)
  fireEvent.click(screen.getByText('Leave'))
  await act(async () => expect(await answer).toBeUndefined())
})

test('the question before a deletion stays when the row that asked is gone, and says why it failed', async () => {
  function Row({ remove }: { remove: () => Promise<void> }) {
    const confirmDelete = useConfirmDelete()
    const deletion = { resource: 'Zone', label: 'Radiology', consequence: 'It has no readers.', delete: remove }
    return <button type="button" onClick={() => void confirmDelete(deletion)} children="Ask" />
  }
  function Page() {
    const [there, setThere] = useState(true)
    async function remove() {
      setThere(false)
      throw new Error('There is no such zone.')
    }
    return (
      <MemoryRouter>
        <ToastProvider>
          <DialogProvider>{there && <Row remove={remove} />}</DialogProvider>
        </ToastProvider>
      </MemoryRouter>
    )
  }
  render(<Page />)
  fireEvent.click(screen.getByText('Ask'))
  fireEvent.click(await screen.findByText('Delete'))
  expect(await screen.findByText('There is no such zone.')).toBeTruthy()
  expect(screen.queryByText('Ask')).toBeNull()
  expect(screen.getByRole('dialog', { name: 'Delete Radiology' })).toBeTruthy()
})

test('[UIP-03] outside its provider the helper says so', () => {
  const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  function Lost() {
    useDialog()
    return null
  }
  expect(() => render(<Lost />)).toThrow('outside a modal provider')
  silent.mockRestore()
})

test('a confirmation stays open while it works, and when it fails says why', async () => {
  const { open } = showPage()
  let fail: (error: Error) => void = () => undefined
  let succeed: () => void = () => undefined
  let answer: Promise<boolean | undefined> | undefined
  const work = () =>
    new Promise<void>((resolve, reject) => {
      succeed = resolve
      fail = reject
    })
  act(() => {
    answer = open<boolean>((close) => (
      <Confirm title="Delete ICU 3" destructive close={close} onYes={work}>
        Its readers stop receiving updates.
      </Confirm>
    ))
  })
  const yes = () => screen.getByRole('button', { name: 'Yes' })
  await screen.findByRole('dialog')
  fireEvent.click(yes())
  expect(yes().getAttribute('aria-busy')).toBe('true')
  fireEvent.keyDown(document, { key: 'Escape' })
  expect(screen.getByRole('dialog')).toBeTruthy()

  await act(async () => fail(new Error('Zone has 3 readers')))
  expect(screen.getByRole('alert').textContent).toBe('Zone has 3 readers')

  fireEvent.click(yes())
  await act(async () => succeed())
  expect(await answer).toBe(true)
})

test('a dialog that is loaded when it is opened gets the focus in its first field', async () => {
  const { open } = showPage()
  const loaded = Promise.withResolvers<void>()
  act(() => {
    void open(async () => {
      await loaded.promise
      return (
        <DialogPanel title="Later" actions={<button type="button">OK</button>}>
          <input aria-label="Name" />
        </DialogPanel>
      )
    })
  })
  expect(screen.queryByRole('dialog')).toBeNull()
  await act(async () => loaded.resolve())
  expect(await screen.findByRole('dialog', { name: 'Later' })).toBeTruthy()
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Name')
})

test('a dialog that cannot be loaded says so, and another may be opened', async () => {
  const { open } = showPage()
  const reported = vi.spyOn(globalThis, 'reportError').mockImplementation(() => undefined)
  const failed = await act(() => open(() => Promise.reject(new Error('no connection'))))
  expect(failed).toBeUndefined()
  expect(await screen.findByText('This could not be loaded')).toBeTruthy()
  expect(reported.mock.calls).toEqual([[new Error('no connection')]])
  act(() => void open((close) => <Confirm title="Next" close={close} children="Text" />))
  expect(await screen.findByRole('dialog', { name: 'Next' })).toBeTruthy()
})
