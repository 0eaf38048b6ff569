import { RotateCw } from 'lucide-react'
import { type ComponentType, useCallback, useEffect, useState } from 'react'
import { reloadStyles } from '../lib/lost-styles.ts'
import { Button } from '../ui/button/button.tsx'
import { useOnline } from '../ui/feedback/query-states.tsx'
import { useFocusOnNewPage } from '../ui/layout/page-focus.ts'
import { MessagePage } from './message-page.tsx'

type Load = () => Promise<{ default: ComponentType }>

/** Milliseconds between tries, as a server that is down does not announce its return. */
const tryEvery = 5_000

/**
 * A page whose script is loaded when it is first shown. Without a connection it is one that waits and then shows it in its place: without a
 * reload, which would lose the state of the app.
 * @throws where the server has no such script, as after an update
 */
export async function loadPage(load: Load): Promise<ComponentType> {
  try {
    return (await load()).default
  } catch (error) {
    if (await isReachable()) throw error
    return createWaitingPage(load)
  }
}

async function isReachable(): Promise<boolean> {
  try {
    await fetch('/', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(tryEvery) })
    return true
  } catch {
    return false
  }
}

function createWaitingPage(load: Load): ComponentType {
  let loaded: ComponentType | undefined
  return function WaitingPage() {
    const [Page, setPage] = useState(() => loaded)
    const [failure, setFailure] = useState<unknown>()
    const [isTrying, setTrying] = useState(false)
    const isOnline = useOnline()
    useFocusOnNewPage(Page ? 'page' : 'waiting')

    const attempt = useCallback(async () => {
      setTrying(true)
      try {
        await reloadStyles()
        loaded = (await load()).default
        setPage(() => loaded)
      } catch (error) {
        if (await isReachable()) setFailure(error)
      } finally {
        setTrying(false)
      }
    }, [])

    useEffect(() => {
      if (Page || !isOnline) return
      void attempt()
      const timer = setInterval(attempt, tryEvery)
      return () => clearInterval(timer)
    }, [Page, isOnline, attempt])

    if (failure !== undefined) throw failure
    return Page ? <Page /> : <NoConnection isTrying={isTrying} onRetry={attempt} />
  }
}

function NoConnection({ isTrying, onRetry }: { isTrying: boolean; onRetry: () => void }) {
  return (
    <MessagePage
      title="No connection"
      actions={
        <Button variant="primary" icon={RotateCw} busy={isTrying} busyLabel="Trying" onClick={onRetry}>
          Try Again
        </Button>
      }
    >
      <p>This page could not be loaded. It opens by itself when the connection is back.</p>
    </MessagePage>
  )
}
