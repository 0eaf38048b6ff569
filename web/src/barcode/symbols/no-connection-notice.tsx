import type { ReactNode } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'

export function NoConnectionNotice({ children, onRetry }: { children: ReactNode; onRetry: () => void }) {
  return (
    <Notice kind="warn">
      <b>No connection.</b> {children}{' '}
      <Button variant="link" onClick={onRetry}>
        Try Again
      </Button>
    </Notice>
  )
}
