import { QueryClientContext } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { use, useEffect, useState } from 'react'
import { useLocation, useNavigate, useRouteError } from 'react-router'
import { isLostModule } from '../lib/monitoring/lost-modules.ts'
import { findReference, isMonitored, reportFailure } from '../lib/monitoring/monitoring.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { DialogProvider } from '../ui/dialog/dialog.tsx'
import { ToastProvider } from '../ui/feedback/toast.tsx'
import { MessagePage } from './message-page.tsx'
import { Reference } from './reference.tsx'
import { useReport } from './use-report.tsx'

/** Where a screen has thrown: the frame stays, and the error is reported with a dialog beside it (spec §2). */
export function ErrorPage() {
  const error = useRouteError()
  const location = useLocation()
  const navigate = useNavigate()
  const queries = use(QueryClientContext)

  function tryAgain() {
    if (isLostModule(error)) return window.location.reload()
    // What the screen had read may be what it broke at.
    queries?.removeQueries({ type: 'inactive' })
    // Coming to the place again is what makes the router forget its error.
    void navigate(location, { replace: true, state: location.state })
  }

  return <ErrorMessage error={error} onRetry={tryAgain} />
}

/** Where the frame itself could not be set up: no settings, no session. */
export function RootErrorPage() {
  const error = useRouteError()
  return (
    <ToastProvider>
      <DialogProvider>
        <ErrorMessage error={error} onRetry={() => location.reload()} />
      </DialogProvider>
    </ToastProvider>
  )
}

const intro = 'Something went wrong, and it was recorded. A few words about what you were doing help to find the cause.'

function ErrorMessage({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const [reference, setReference] = useState<string>()
  const { openForm } = useReport()
  useEffect(() => {
    reportFailure(error)
    const eventId = findReference(error)
    setReference(eventId)
    if (!isMonitored()) return
    const leaving = new AbortController()
    // Where the service cannot be reached there is no dialog, and this page says enough.
    openForm({ intro, eventId, signal: leaving.signal }).catch(() => {})
    return () => leaving.abort()
  }, [error, openForm])

  return (
    <MessagePage
      title="Something went wrong"
      alert
      actions={
        <>
          <Button variant="primary" icon={RotateCw} onClick={onRetry}>
            Try Again
          </Button>
          <ButtonLink to="/" reloadDocument>
            Go Home
          </ButtonLink>
        </>
      }
    >
      <p>Sorry about that. We'll look into it.</p>
      {reference && <Reference>{reference}</Reference>}
    </MessagePage>
  )
}
