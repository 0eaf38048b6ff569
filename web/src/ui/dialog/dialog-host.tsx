import './dialog-panel.css'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface DialogHostProps {
  /** Null while no dialog is open. */
  content: ReactNode
  onDismiss: () => void
}

export function DialogHost({ content, onDismiss }: DialogHostProps) {
  return (
    <Radix.Root open={content !== null} onOpenChange={(next) => !next && onDismiss()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim">{content}</Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}
