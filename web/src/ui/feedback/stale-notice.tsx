import { Button } from '../button/button.tsx'
import { Notice } from './notice.tsx'

type StaleNoticeProps = {
  /** What failed, as a sentence: "Error loading devices." */
  message: string
  detail?: string | undefined
  onRetry: () => unknown
  retrying: boolean
}

/** Stands above what was loaded before, where loading it again failed. */
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
