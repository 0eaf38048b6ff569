import type { UpdateModel } from '@lectern/contract/device-models.ts'
import { FileCode, RotateCw } from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { fileSize } from '../ui/file-size.ts'
import { ReaderDrawing } from '../ui/reader-drawing.tsx'
import { Status } from '../ui/status.tsx'
import { chosenFile } from './file-data.ts'
import { type DeviceConfig, isSaved, type WizardState } from './wizard.ts'
import { counted, type ZoneStanding } from './zone-standing.ts'

type ReviewRowProps = {
  device: UpdateModel
  state: WizardState
  standing: ZoneStanding | undefined
  isSending: boolean
  isBusy: boolean
  onEdit: () => void
  onRetry: () => void
}

/** One model: what it will run, and what became of sending it. */
export function ReviewRow({ device, state, standing, isSending, isBusy, onEdit, onRetry }: ReviewRowProps) {
  const outcome = state.attempts[device]?.outcome
  return (
    <li className="review-row" aria-label={device}>
      <div className="review-device">
        <ReaderDrawing model={device} width={72} />
        <span>
          <b>{device}</b>
          <small>{counted(standing?.of(device), 'reader')}</small>
        </span>
      </div>
      <div className="review-config">
        <Choice device={device} choice={state.devices[device]?.config?.choice} />
      </div>
      <div className="review-outcome">
        <span className="caption">Publish</span>
        <Outcome device={device} state={state} isSending={isSending} />
        {outcome?.published === false && !isSending && (
          <Button
            small
            icon={RotateCw}
            aria-label={`Retry ${device}`}
            disabledReason={isBusy ? 'Publishing is under way.' : undefined}
            onClick={onRetry}
          >
            Retry
          </Button>
        )}
      </div>
      <Button
        small
        variant="ghost"
        aria-label={`Edit ${device}`}
        disabledReason={isBusy ? 'Publishing is under way.' : undefined}
        onClick={onEdit}
      >
        Edit
      </Button>
    </li>
  )
}

function Outcome({ device, state, isSending }: { device: UpdateModel; state: WizardState; isSending: boolean }) {
  const attempt = state.attempts[device]
  if (isSending) return <Status kind="run">Publishing</Status>
  if (attempt?.outcome?.published === true) return <Status kind="ok">Published</Status>
  if (attempt?.outcome?.published === false)
    return (
      <>
        <Status kind="bad">Failed</Status>
        <p className="review-message">{attempt.outcome.message}</p>
      </>
    )
  if (attempt)
    return (
      <>
        <Status kind="unknown">Not confirmed</Status>
        <p className="review-message">The answer was lost. Publish asks again and sends nothing twice.</p>
      </>
    )
  if (!isSaved(state, device)) return <Status kind="warn">Not finished</Status>
  return <Status kind="wait">Not sent</Status>
}

function Choice({ device, choice }: { device: UpdateModel; choice: DeviceConfig | undefined }) {
  if (choice?.type === 'cfg' && choice.text !== '')
    return (
      <>
        <p className="review-kind">
          <Badge kind="accent">CFG</Badge>
          <span>Golden standard, {counted(choice.text.length, 'character')}</span>
        </p>
        <section
          className="review-text"
          aria-label={`${device} configuration text, read-only`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
          tabIndex={0}
        >
          <pre>{choice.text}</pre>
        </section>
      </>
    )
  const file = choice?.type === 'file' ? chosenFile(choice) : null
  if (!file) return <p className="review-kind">Nothing chosen yet.</p>
  return (
    <>
      <p className="review-kind">
        <Badge kind="accent">CodeRules</Badge>
        <span>JavaScript file</span>
      </p>
      <p className="review-file">
        <FileCode size={16} />
        <b className="mono">{file.name}</b>
        <span>{fileSize(file.size)}</span>
      </p>
    </>
  )
}
