import { RotateCw } from 'lucide-react'
import type { ComponentType } from 'react'
import { Button } from '../ui/button/button.tsx'
import { useFocusOnNewPage } from '../ui/layout/page-focus.ts'
import { loadOrWait, type WaitingProps } from '../ui/lazy.tsx'
import { MessagePage } from './message-page.tsx'

/** @throws where the server has no such script, as after an update */
export const loadPage = (load: () => Promise<{ default: ComponentType }>): Promise<ComponentType> =>
  loadOrWait(async () => (await load()).default, WaitingPage)

function WaitingPage({ isTrying, onRetry, children }: WaitingProps) {
  useFocusOnNewPage(children ? 'page' : 'waiting')
  if (children) return children
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
