import { type ReactNode, useState } from 'react'
import { Button } from '../button/button.tsx'
import { LongWaitNotice, Notice } from '../feedback/notice.tsx'
import type { Close } from './dialog.tsx'
import { DialogPanel } from './dialog-panel.tsx'

interface ConfirmProps {
  title: string
  children: ReactNode
  close: Close<boolean>
  yes?: string
  back?: string
  destructive?: boolean
  /** Awaited before the dialog closes with true; an error is shown in it. */
  onYes?: () => Promise<unknown>
  busyLabel?: string
  /** Why it cannot be confirmed yet. */
  disabledReason?: string | undefined
}

/** Resolves with true, or with undefined. For use inside `useDialog().open(…)`. */
export function Confirm({
  title,
  children,
  close,
  yes = 'Yes',
  back = 'Back',
  destructive,
  onYes,
  busyLabel,
  disabledReason,
}: ConfirmProps) {
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function agree() {
    setFailure(undefined)
    setSaving(true)
    try {
      await onYes?.()
      close(true)
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    } finally {
      setSaving(false)
    }
  }

  return (
    <DialogPanel
      title={title}
      saving={saving}
      actions={
        <>
          <Button data-autofocus={destructive || undefined} disabled={saving} onClick={() => close()}>
            {back}
          </Button>
          <Button
            variant={destructive ? 'bad' : 'primary'}
            data-autofocus={destructive ? undefined : true}
            busy={saving}
            busyLabel={busyLabel}
            disabledReason={saving ? undefined : disabledReason}
            onClick={agree}
          >
            {yes}
          </Button>
        </>
      }
    >
      {children}
      <LongWaitNotice isWaiting={saving} />
      {failure && (
        <Notice kind="bad" className="mt-3">
          {failure}
        </Notice>
      )}
    </DialogPanel>
  )
}
