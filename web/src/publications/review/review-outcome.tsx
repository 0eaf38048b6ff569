import { RotateCw } from 'lucide-react'
import type { Sent } from '../../lib/api/uploads.ts'
import { Button } from '../../ui/button/button.tsx'
import { Status } from '../../ui/feedback/status.tsx'
import { Transfer } from '../../ui/feedback/transfer.tsx'
import { type Piece, pieceName } from '../content/choices.ts'
import { isReady, type WizardState } from '../wizard-state.ts'

interface ReviewOutcomeProps {
  name: string
  piece: Piece
  state: WizardState
  isSending: boolean
  sent: Sent | undefined
  blocked: string | undefined
  onRetry: () => void
  onCancel: () => void
}

export function ReviewOutcome({ name, piece, state, isSending, sent, blocked, onRetry, onCancel }: ReviewOutcomeProps) {
  const failed = state.attempts[pieceName(piece)]?.outcome?.published === false
  return (
    <div className="review-outcome">
      <span className="caption">Publish</span>
      {isSending && sent ? (
        <Upload name={name} sent={sent} onCancel={onCancel} />
      ) : (
        <Outcome piece={piece} state={state} isSending={isSending} />
      )}
      {failed && !isSending && (
        <Button small icon={RotateCw} aria-label={`Retry ${name}`} disabledReason={blocked} onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  )
}

function Upload({ name, sent, onCancel }: { name: string; sent: Sent; onCancel: () => void }) {
  return (
    <>
      <Transfer label={`Uploading ${name}`} {...sent} />
      {(sent.total === 0 || sent.sent < sent.total) && (
        <Button small aria-label={`Cancel upload of ${name}`} onClick={onCancel}>
          Cancel upload
        </Button>
      )}
    </>
  )
}

function Outcome({ piece, state, isSending }: { piece: Piece; state: WizardState; isSending: boolean }) {
  const attempt = state.attempts[pieceName(piece)]
  if (isSending) return <Status kind="run" spoken="" children="Publishing" />
  if (attempt?.outcome?.published === true) return <Status kind="ok" spoken="" children="Published" />
  if (attempt?.outcome?.published === false)
    return (
      <>
        <Status kind="bad" spoken="" children="Failed" />
        <p className="review-message">{attempt.outcome.message}</p>
      </>
    )
  if (attempt)
    return (
      <>
        <Status kind="unknown" spoken="" children="Not confirmed" />
        <p className="review-message">The response was lost. Publish tries again and sends nothing twice.</p>
      </>
    )
  if (!isReady(state, piece)) return <Status kind="warn" spoken="" children="Not finished" />
  return <Status kind="wait" spoken="" children="Not sent" />
}
