import { useState } from 'react'
import { CallError } from '../lib/api/call-error.ts'
import { useSession } from '../lib/session.ts'
import { isOwnProvider, useSettings } from '../lib/settings.ts'
import { Button } from '../ui/button/button.tsx'
import { PhoneLink } from '../ui/button/phone-link.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'

/** Whether the server lists no cases as the caller's address is not verified (decision 19). */
export const isUnverified = (error: Error | null): boolean => error instanceof CallError && error.status === 403

export function Unverified({ onRetry }: { onRetry: () => Promise<unknown> }) {
  const { user, tokens } = useSession()
  const { supportPhone, auth } = useSettings()
  const [busy, setBusy] = useState(false)

  async function checkAgain() {
    setBusy(true)
    // The token says whether an address is verified, so it is renewed. If that fails, the next read is refused again.
    await tokens.renew().catch(() => undefined)
    await onRetry()
    setBusy(false)
  }

  return (
    <EmptyState
      action={
        <>
          <p className="max-w-120 text-ink-2">
            Support cases are found by e-mail address, so they are only for verified addresses. Open the link in the mail that was sent{' '}
            {user?.email && (
              <>
                to <b className="wrap-anywhere">{user.email}</b>{' '}
              </>
            )}
            when you signed up, then check again.{' '}
            {isOwnProvider(auth) && (
              <>
                Without that mail,{' '}
                <a className="link max-sm:inline" href="/verify-email">
                  ask for a new one
                </a>
                .{' '}
              </>
            )}
            The support line is <PhoneLink phone={supportPhone} />.
          </p>
          <Button className="mt-2" busy={busy} busyLabel="Checking" onClick={() => void checkAgain()}>
            Check again
          </Button>
        </>
      }
    >
      Your e-mail address is not verified.
    </EmptyState>
  )
}
