import { useState } from 'react'
import { useSession } from '../lib/session.ts'
import { useSettings } from '../lib/settings.ts'
import { Button } from '../ui/button/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { PhoneLink } from './phone-link.tsx'

/** Why there are no cases for somebody whose address is not verified, and the way to verify it. */
export function Unverified({ onRetry }: { onRetry: () => Promise<unknown> }) {
  const { user, tokens } = useSession()
  const { supportPhone, auth } = useSettings()
  const [busy, setBusy] = useState(false)

  async function checkAgain() {
    setBusy(true)
    // Whether an address is verified stands in the token. Where there is no new one, the next answer says so.
    await tokens.renew().catch(() => undefined)
    await onRetry()
    setBusy(false)
  }

  return (
    <EmptyState
      action={
        <>
          <p className="max-w-120 text-ink-2">
            Support cases are found by e-mail address, so nobody sees them who has not shown that the address is theirs. Open the link in
            the mail that was sent{' '}
            {user?.email && (
              <>
                to <b className="wrap-anywhere">{user.email}</b>{' '}
              </>
            )}
            when you signed up, then check again.{' '}
            {isOurs(auth.domain) && (
              <>
                Without that mail,{' '}
                <a className="link max-sm:inline" href="/verify-email">
                  ask for another one
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

/** Whether the portal's own provider keeps the accounts. */
const isOurs = (domain: string): boolean => URL.canParse(domain) && new URL(domain).origin === location.origin
