import { Check, OctagonX, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react'

export type ToastMessage = {
  /** In the words of the button that caused it: Save, "Configuration saved". */
  title: string
  detail?: string
  /** Stays until dismissed. Never the only record of a failure. */
  bad?: boolean
  /** The way back, e.g. Undo. There is more time for it. */
  action?: { label: string; press: () => void }
}

type Show = (message: ToastMessage) => void

const Context = createContext<Show | null>(null)

const SHOWN_FOR = 6000
const OFFERED_FOR = 20_000

/** Shows the toasts of everything inside it, at the bottom right. */
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
      <Radix.Provider duration={SHOWN_FOR} label="Notification" swipeDirection="right">
        {children}
        {toasts.map((toast) => (
          <Radix.Root
            key={toast.id}
            className="toast"
            type={toast.bad ? 'foreground' : 'background'}
            duration={toast.bad ? Number.POSITIVE_INFINITY : toast.action ? OFFERED_FOR : SHOWN_FOR}
            onOpenChange={(open) => {
              if (!open) remove(toast.id)
            }}
          >
            <ToastBody message={toast} />
            {toast.action && (
              <Radix.Action className="toast-action" altText={`${toast.action.label}: ${toast.title}`} onClick={toast.action.press}>
                {toast.action.label}
              </Radix.Action>
            )}
            <Radix.Close className="toast-close" aria-label="Dismiss">
              <X size={16} />
            </Radix.Close>
          </Radix.Root>
        ))}
        <Radix.Viewport className="toasts" label="Notifications ({hotkey})" />
      </Radix.Provider>
    </Context>
  )
}

/** Icon and text of a toast, without its behaviour. */
export function ToastBody({ message }: { message: ToastMessage }) {
  const Icon = message.bad ? OctagonX : Check
  return (
    <>
      <Icon size={16} />
      <span className="toast-text">
        <b>{message.title}</b>
        {message.detail}
      </span>
    </>
  )
}

/** Says what has happened: 6 s, longer while pointer or focus is on it; failures stay. */
export function useToast(): Show {
  const show = useContext(Context)
  if (!show) throw new Error('useToast was used outside a ToastProvider')
  return show
}
