import { Button } from '../button/button.tsx'
import { Notice } from './notice.tsx'

interface StaleNoticeProps {
  message: string
  detail?: string | undefined
  onRetry: () => unknown
  retrying: boolean
}

export function StaleNotice({ message, detail, onRetry, retrying }: StaleNoticeProps) {
  return (
    <Notice kind="bad" className="m-4">
      <b>{message}</b> Shown is what was loaded last. {detail}{' '}
      <Button variant="link" busy={retrying} onClick={() => onRetry()}>
        Try Again
      </Button>
    </Notice>
  )
}
