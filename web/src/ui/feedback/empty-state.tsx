import './empty-state.css'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Bars } from '../bars.tsx'
import { Button } from '../button/button.tsx'
import { Glyph } from './status.tsx'

export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty-state">
      <Bars symbol="EMPTY" height={22} />
      <p className="empty-state-title">{children}</p>
      {action}
    </div>
  )
}

interface ErrorPanelProps {
  message: string
  detail?: ReactNode
  onRetry?: () => void
  retrying?: boolean
}

export function ErrorPanel({ message, detail, onRetry, retrying }: ErrorPanelProps) {
  return (
    <div className="empty-state" role="alert">
      <p className="status status-bad">
        <Glyph kind="bad" />
        <b className="empty-state-title">{message}</b>
      </p>
      {detail && <p className="empty-state-detail">{detail}</p>}
      {onRetry && (
        <Button icon={RotateCw} busy={retrying} onClick={onRetry}>
          Try Again
        </Button>
      )}
    </div>
  )
}
