import { type ComponentType, createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react'
import type { ToastMessage, ToastsProps } from './toasts.tsx'

type Show = (message: ToastMessage) => void

const Context = createContext<Show | null>(null)

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<(ToastMessage & { id: number })[]>([])
  const [Toasts, setComponent] = useState<ComponentType<ToastsProps>>()
  const last = useRef(0)
  const show = useMemo<Show>(
    () => (message) => {
      last.current += 1
      const id = last.current
      setToasts((before) => [...before, { ...message, id }])
      // Without a connection the toasts wait for the next try.
      import('./toasts.tsx').then(
        (module) => setComponent(() => module.Toasts),
        () => undefined,
      )
    },
    [],
  )
  const remove = (id: number) => setToasts((before) => before.filter((toast) => toast.id !== id))

  return (
    <Context value={show}>
      {children}
      {Toasts && <Toasts toasts={toasts} onClosed={remove} />}
    </Context>
  )
}

/** Shown for 6 s, longer under pointer or focus. Failures stay. */
export function useToast(): Show {
  const show = useContext(Context)
  if (!show) throw new Error('useToast was used outside a ToastProvider')
  return show
}
