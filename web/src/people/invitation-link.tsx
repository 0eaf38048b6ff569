import type { SentInvitation } from '@lectern/contract/people/people.ts'
import { Copy } from 'lucide-react'
import { formatMinute } from '../lib/format.ts'
import { Button } from '../ui/button/button.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { useToast } from '../ui/feedback/toast.tsx'

// The link is shown only this once, as only its hash is stored.
export function InvitationLink({ sent: { email, link, expiresAt }, close }: { sent: SentInvitation; close: Close<void> }) {
  const toast = useToast()
  async function copy() {
    try {
      await navigator.clipboard.writeText(link ?? '')
      toast({ title: 'Link copied' })
    } catch {
      toast({ title: 'Link not copied', detail: 'The browser did not allow it. Select it by hand.', bad: true })
    }
  }
  return (
    <DialogPanel
      title={`${email} is invited`}
      actions={
        <>
          {'clipboard' in navigator && (
            <Button icon={Copy} onClick={() => void copy()}>
              Copy link
            </Button>
          )}
          <Button variant="primary" onClick={() => close()}>
            Done
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p>This portal sends no mail. Pass this link on yourself: it is not shown again.</p>
        <p className="mono rounded-md bg-well p-3 wrap-anywhere select-all">{link}</p>
        <p className="text-13 text-ink-2">
          It is good until {formatMinute(expiresAt)}, for one use, and only for an account with this address.
        </p>
      </div>
    </DialogPanel>
  )
}
