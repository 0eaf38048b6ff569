import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'

export type Close<Value> = (value?: Value) => void

interface Shown {
  content: ReactNode
  close: Close<unknown>
}

interface DialogContext {
  open: (render: (close: Close<unknown>) => ReactNode) => { result: Promise<unknown>; cancel: () => void }
  hold: (saving: boolean) => void
  returnFocus: (event: Event) => void
}

const Context = createContext<DialogContext | null>(null)

const DialogHost = lazy(async () => ({ default: (await import('./dialog-host.tsx')).DialogHost }))

export function DialogProvider({ children }: { children: ReactNode }) {
  const { shown, wasOpened, context, dismiss } = useShownDialog()
  return (
    <Context value={context}>
      {children}
      {wasOpened && (
        <Suspense>
          <DialogHost content={shown?.content ?? null} onDismiss={dismiss} />
        </Suspense>
      )}
    </Context>
  )
}

function useShownDialog() {
  const [shown, setShown] = useState<Shown | null>(null)
  // Updated at once, unlike `shown`: two dialogs may be opened before the next render.
  const current = useRef<Shown | null>(null)
  const saving = useRef(false)
  const opener = useRef<Element | null>(null)
  const [wasOpened, setOpened] = useState(false)
  const settle = useRef<() => void>(undefined)
  // The dialog holds the focus until it is removed; the opener may then place it.
  useEffect(() => {
    settle.current?.()
    settle.current = undefined
  }, [shown])

  const open = useCallback<DialogContext['open']>((render) => {
    if (current.current) return { result: Promise.reject(new Error('Dialog is already open')), cancel: () => undefined }
    let resolve: (value: unknown) => void
    const result = new Promise<unknown>((done) => {
      resolve = done
    })
    const close: Close<unknown> = (value) => {
      if (current.current?.close !== close) return
      current.current = null
      saving.current = false
      settle.current = () => resolve(value)
      setShown(null)
    }
    opener.current = document.activeElement
    current.current = { content: render(close), close }
    setShown(current.current)
    setOpened(true)
    return { result, cancel: () => close() }
  }, [])

  const context = useMemo<DialogContext>(
    () => ({
      open,
      hold: (now) => {
        saving.current = now
      },
      returnFocus: (event) => {
        event.preventDefault()
        if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus()
      },
    }),
    [open],
  )

  return {
    shown,
    wasOpened,
    context,
    dismiss() {
      if (!saving.current) shown?.close()
    },
  }
}

export function useDialogContext(): DialogContext {
  const context = useContext(Context)
  if (!context) throw new Error('useDialog was used outside a modal provider: put a DialogProvider around it')
  return context
}

type Open = <Value>(render: (close: Close<Value>) => ReactNode) => Promise<Value | undefined>

/**
 * `open(render)` resolves with the value that the dialog is closed with; undefined when it is cancelled (Esc, a click beside it, or its
 * opener leaves the screen).
 * @throws "Dialog is already open" while another one is (spec §4, §8)
 */
export function useDialog(): { open: Open } {
  const context = useDialogContext()
  const cancel = useRef<() => void>(undefined)
  useEffect(() => () => cancel.current?.(), [])
  return useMemo(() => {
    const open: Open = (render) => {
      const dialog = context.open(render as (close: Close<unknown>) => ReactNode)
      cancel.current = dialog.cancel
      return dialog.result as Promise<never>
    }
    return { open }
  }, [context])
}
