import { InvalidFeatureFlag } from '@lectern/contract/feature-flags.ts'
import { QueryClientContext } from '@tanstack/react-query'
import { Copy, RotateCw } from 'lucide-react'
import { use, useEffect, useState } from 'react'
import { useLocation, useNavigate, useRouteError } from 'react-router'
import { isLostModule } from '../lib/monitoring/lost-modules.ts'
import { findReference, isMonitored, reportFailure } from '../lib/monitoring/monitoring.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { DialogProvider } from '../ui/dialog/dialog.tsx'
import { ToastProvider, useToast } from '../ui/feedback/toast.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { MessagePage } from './message-page.tsx'
import { useReport } from './use-report.tsx'

const InvalidFlag = lazyPart(async () => (await import('./invalid-flag.tsx')).InvalidFlag)

/** The frame stays, and a dialog reports the error (spec §2). */
export function ErrorPage() {
  const error = useRouteError()
  const location = useLocation()
  const navigate = useNavigate()
  const queries = use(QueryClientContext)

  function tryAgain() {
    if (isLostModule(error)) return window.location.reload()
    // The screen may have broken by what the cache has.
    queries?.removeQueries({ type: 'inactive' })
    // The router forgets its error at a new navigation.
    void navigate(location, { replace: true, state: location.state })
  }

  return <ErrorMessage error={error} onRetry={tryAgain} />
}

export function RootErrorPage() {
  const error = useRouteError()
  return (
    <ToastProvider>
      <DialogProvider>
        {error instanceof InvalidFeatureFlag ? (
          <InvalidFlag error={error} onRetry={() => location.reload()} />
        ) : (
          <ErrorMessage error={error} onRetry={() => location.reload()} />
        )}
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
    // Without the service there is no dialog, and this page is enough.
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
          <ButtonLink to={paths.home()} reloadDocument>
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

function Reference({ children }: { children: string }) {
  const toast = useToast()
  const clipboard: Clipboard | undefined = navigator.clipboard

  async function copy() {
    try {
      await clipboard?.writeText(children)
      toast({ title: 'Reference copied' })
    } catch {
      toast({ title: 'Reference not copied', detail: 'The browser did not allow it. Select it by hand.', bad: true })
    }
  }
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-1.5 text-13 text-ink-3">
      Reference
      <span className="inline-flex items-center gap-1.5">
        <span className="mono select-all break-all">{children}</span>
        {clipboard && <IconButton small icon={Copy} label="Copy reference" onClick={copy} />}
      </span>
    </p>
  )
}
