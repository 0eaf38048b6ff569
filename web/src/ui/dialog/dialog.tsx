import { type ComponentType, createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useToast } from '../feedback/toast.tsx'
import type { DialogHostProps } from './dialog-host.tsx'

export type Close<Value> = (value?: Value) => void

interface Shown {
  content: ReactNode
  close: Close<unknown>
}

interface DialogContext {
  open: (render: (close: Close<unknown>) => ReactNode | Promise<ReactNode>) => { result: Promise<unknown>; cancel: () => void }
  hold: (saving: boolean) => void
  returnFocus: (event: Event) => void
}

const Context = createContext<DialogContext | null>(null)

export function DialogProvider({ children }: { children: ReactNode }) {
  const { shown, Host, context, dismiss } = useShownDialog()
  return (
    <Context value={context}>
      {children}
      {Host && <Host content={shown?.content ?? null} onDismiss={dismiss} />}
    </Context>
  )
}

function useShownDialog() {
  const [shown, setShown] = useState<Shown | null>(null)
  const [Host, setHost] = useState<ComponentType<DialogHostProps>>()
  // Updated at once, unlike `shown`: two dialogs may be opened before the next render.
  const current = useRef<{ close: Close<unknown>; isDrawn: boolean } | null>(null)
  const saving = useRef(false)
  const focus = useOpenerFocus()
  const settleWhenGone = useSettling(shown)
  const showToast = useToast()

  const open = useCallback<DialogContext['open']>(
    (render) => {
      if (current.current) return { result: Promise.reject(new Error('Dialog is already open')), cancel: () => undefined }
      const { promise: result, resolve } = Promise.withResolvers<unknown>()
      const close: Close<unknown> = (value) => {
        if (current.current !== opening) return
        current.current = null
        saving.current = false
        if (!opening.isDrawn) return resolve(value)
        settleWhenGone(() => resolve(value))
        setShown(null)
      }
      const opening = { close, isDrawn: false }
      focus.remember()
      current.current = opening
      const draw = async () => {
        const [{ DialogHost }, content] = await Promise.all([import('./dialog-host.tsx'), render(close)])
        if (current.current !== opening) return
        opening.isDrawn = true
        setHost(() => DialogHost)
        setShown({ content, close })
      }
      draw().catch((error) => {
        reportError(error)
        showToast({ title: 'This could not be loaded', detail: 'Look at the connection, and try again.', bad: true })
        close()
      })
      return { result, cancel: () => close() }
    },
    [showToast, focus, settleWhenGone],
  )

  const context = useMemo<DialogContext>(
    () => ({
      open,
      hold: (now) => {
        saving.current = now
      },
      returnFocus: focus.give,
    }),
    [open, focus],
  )
  const dismiss = () => {
    if (!saving.current) shown?.close()
  }
  return { shown, Host, context, dismiss }
}

function useOpenerFocus() {
  const opener = useRef<Element | null>(null)
  // What was done in the dialog may remove its opener from the row.
  const row = useRef<Element | null>(null)
  return useMemo(
    () => ({
      remember() {
        opener.current = document.activeElement
        row.current = opener.current?.closest('tr') ?? null
      },
      give(event: Event) {
        event.preventDefault()
        const target = opener.current?.isConnected ? opener.current : row.current?.querySelector('a[href], button:enabled')
        if (target instanceof HTMLElement) target.focus()
      },
    }),
    [],
  )
}

// The dialog holds the focus until it is removed. Only then can its opener move it.
function useSettling(shown: Shown | null): (settle: () => void) => void {
  const settle = useRef<() => void>(undefined)
  useEffect(() => {
    settle.current?.()
    settle.current = undefined
  }, [shown])
  return useCallback((next) => {
    settle.current = next
  }, [])
}

export function useDialogContext(): DialogContext {
  const context = useContext(Context)
  if (!context) throw new Error('useDialog was used outside a modal provider: put a DialogProvider around it')
  return context
}

type Open = <Value>(render: (close: Close<Value>) => ReactNode | Promise<ReactNode>) => Promise<Value | undefined>

/**
 * `open(render)` resolves with the value that the dialog closes with; undefined when it is cancelled (Esc, a click beside it, or its opener
 * leaves the screen), or when its script cannot be loaded.
 * @throws "Dialog is already open" while another one is open (spec §4, §8)
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
