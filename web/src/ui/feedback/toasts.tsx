import './toasts.css'
import { Check, OctagonX, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'

export interface ToastMessage {
  title: string
  detail?: string
  /** Stays until dismissed. The failure must be visible elsewhere too. */
  bad?: boolean
  action?: { label: string; press: () => void }
}

const shownFor = 6000
const offeredFor = 20_000

export interface ToastsProps {
  toasts: readonly (ToastMessage & { id: number })[]
  onClosed: (id: number) => void
}

export function Toasts({ toasts, onClosed }: ToastsProps) {
  return (
    <Radix.Provider duration={shownFor} label="Notification" swipeDirection="right">
      {toasts.map((toast) => (
        <Radix.Root
          key={toast.id}
          className="toast"
          type={toast.bad ? 'foreground' : 'background'}
          duration={toast.bad ? Number.POSITIVE_INFINITY : toast.action ? offeredFor : shownFor}
          onOpenChange={(open) => {
            if (!open) onClosed(toast.id)
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
