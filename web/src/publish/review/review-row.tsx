import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { usePermission } from '../../lib/session.ts'
import { Button } from '../../ui/button/button.tsx'
import { ReaderDrawing } from '../../ui/reader-drawing.tsx'
import { ConfigContent } from '../content/config-content.tsx'
import { FirmwareContent } from '../content/firmware-content.tsx'
import { type PartName, type Piece, pieceTitle } from '../draft/choices.ts'
import type { Sent } from '../use-publish.ts'
import type { WizardState } from '../wizard.ts'
import { ReviewOutcome } from './review-outcome.tsx'

type ReviewRowProps = {
  device: UpdateModel
  /** What the wizard is about: other parts of a model are named. */
  part: PartName
  pieces: readonly Piece[]
  state: WizardState
  /** How many readers there are of it, in words. */
  readers: string
  versions: readonly string[] | undefined
  isSending: (piece: Piece) => boolean
  sent: (piece: Piece) => Sent | undefined
  /** Why nothing can be changed now. */
  blocked: string | undefined
  onEdit: (piece: Piece) => void
  onRetry: (piece: Piece) => void
  onCancel: (piece: Piece) => void
  onAdd: () => void
  onRemove: () => void
}

/** One model: what it will run, and what became of sending it. */
export function ReviewRow(props: ReviewRowProps) {
  const { device, part, pieces, state, readers, versions, isSending, sent, blocked, onEdit, onRetry, onCancel, onAdd, onRemove } = props
  const canAdd = usePermission('manage:firmware') && !pieces.some((piece) => piece.part === 'firmware')
  return (
    <li className="review-row" aria-label={device}>
      <div className="review-device">
        <ReaderDrawing model={device} width={72} />
        <span>
          <b>{device}</b>
          <small>{readers}</small>
        </span>
      </div>
      {pieces.map((piece) => {
        const name = pieceTitle(piece, part)
        return (
          <div key={piece.part} className="review-piece">
            <div className="review-content">
              {piece.part === 'config' ? (
                <ConfigContent device={device} choice={state.devices[device]?.config?.choice} />
              ) : (
                <FirmwareContent choice={state.devices[device]?.firmware?.choice} versions={versions} />
              )}
            </div>
            <ReviewOutcome
              name={name}
              piece={piece}
              state={state}
              isSending={isSending(piece)}
              sent={sent(piece)}
              blocked={blocked}
              onRetry={() => onRetry(piece)}
              onCancel={() => onCancel(piece)}
            />
            <div className="review-actions">
              <Button small variant="ghost" aria-label={`Edit ${name}`} disabledReason={blocked} onClick={() => onEdit(piece)}>
                Edit
              </Button>
              {piece.part !== part && (
                <Button small variant="ghost" aria-label={`Remove ${name}`} disabledReason={blocked} onClick={onRemove}>
                  Remove
                </Button>
              )}
            </div>
          </div>
        )
      })}
      {canAdd && (
        <p className="review-piece review-unchanged">
          <span>Firmware: no change.</span>
          <Button variant="link" aria-label={`Add firmware to ${device}`} disabledReason={blocked} onClick={onAdd}>
            Add firmware
          </Button>
        </p>
      )}
    </li>
  )
}
