import { createContext, lazy, type ReactNode, Suspense, useContext, useMemo, useRef, useState } from 'react'
import type { ToastMessage } from './toasts.tsx'

type Show = (message: ToastMessage) => void

const Context = createContext<Show | null>(null)

const Toasts = lazy(async () => ({ default: (await import('./toasts.tsx')).Toasts }))

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<(ToastMessage & { id: number })[]>([])
  const last = useRef(0)
  const show = useMemo<Show>(
    () => (message) => {
      last.current += 1
      const id = last.current
      setToasts((before) => [...before, { ...message, id }])
    },
    [],
  )
  const remove = (id: number) => setToasts((before) => before.filter((toast) => toast.id !== id))

  return (
    <Context value={show}>
      {children}
      {last.current > 0 && (
        <Suspense>
          <Toasts toasts={toasts} onClosed={remove} />
        </Suspense>
      )}
    </Context>
  )
}

/** Shown for 6 s, longer under pointer or focus; failures stay. */
export function useToast(): Show {
  const show = useContext(Context)
  if (!show) throw new Error('useToast was used outside a ToastProvider')
  return show
}
