import './dialog-panel.css'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { DialogContent } from './dialog-content.ts'

export interface DialogHostProps {
  /** Null while no dialog is open. */
  content: ReactNode
  onDismiss: () => void
}

export function DialogHost({ content, onDismiss }: DialogHostProps) {
  return (
    <Radix.Root open={content !== null} onOpenChange={(next) => !next && onDismiss()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim">
          <DialogContent value={Radix.Content}>{content}</DialogContent>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}
