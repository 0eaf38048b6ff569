import { Check, OctagonX, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react'

export interface ToastMessage {
  title: string
  detail?: string
  /** Stays until dismissed. The failure must be shown elsewhere too. */
  bad?: boolean
  action?: { label: string; press: () => void }
}

type Show = (message: ToastMessage) => void

const Context = createContext<Show | null>(null)

const shownFor = 6000
const offeredFor = 20_000

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
      <Radix.Provider duration={shownFor} label="Notification" swipeDirection="right">
        {children}
        {toasts.map((toast) => (
          <Radix.Root
            key={toast.id}
            className="toast"
            type={toast.bad ? 'foreground' : 'background'}
            duration={toast.bad ? Number.POSITIVE_INFINITY : toast.action ? offeredFor : shownFor}
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

/** Shown for 6 s, longer under pointer or focus; failures stay. */
export function useToast(): Show {
  const show = useContext(Context)
  if (!show) throw new Error('useToast was used outside a ToastProvider')
  return show
}
