import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { formatFileSize } from '@lectern/contract/text/file-size.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { BookMarked, Cpu, FileCode } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Sent } from '../../lib/api/uploads.ts'
import { usePermission } from '../../lib/session.ts'
import { Button } from '../../ui/button/button.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import { ReaderDrawing } from '../../ui/reader-drawing.tsx'
import { type DeviceConfig, type DeviceFirmware, formatPiece, type PartName, type Piece } from '../content/choices.ts'
import { toFile } from '../draft/file-data.ts'
import type { WizardState } from '../wizard-state.ts'
import { ReviewOutcome } from './review-outcome.tsx'

interface ReviewRowProps {
  device: UpdateModel
  part: PartName
  pieces: readonly Piece[]
  state: WizardState
  readers: string
  latest: string | undefined
  isSending: (piece: Piece) => boolean
  sent: (piece: Piece) => Sent | undefined
  blocked: string | undefined
  onEdit: (piece: Piece) => void
  onRetry: (piece: Piece) => void
  onCancel: (piece: Piece) => void
  onAdd: () => void
  onRemove: () => void
}

export function ReviewRow(props: ReviewRowProps) {
  const { device, part, pieces, state, readers, latest, isSending, sent, blocked, onEdit, onRetry, onCancel, onAdd, onRemove } = props
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
        const name = formatPiece(piece, part)
        return (
          <div key={piece.part} className="review-piece">
            <div className="review-content">
              {piece.part === 'config' ? (
                <ConfigContent device={device} choice={state.devices[device]?.config?.choice} />
              ) : (
                <FirmwareContent choice={state.devices[device]?.firmware?.choice} latest={latest} />
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

function ConfigContent({ device, choice }: { device: UpdateModel; choice: DeviceConfig | undefined }) {
  if (choice?.type === 'cfg' && choice.text !== '')
    return (
      <>
        <Kind badge="CFG">Golden standard, {counted(choice.text.length, 'character')}</Kind>
        <section className="review-text" aria-label={`${device} configuration text, read-only`}>
          <pre>{choice.text}</pre>
        </section>
      </>
    )
  if (choice?.type === 'saved' && choice.id !== null)
    return (
      <>
        <Kind badge="Library">Saved configuration</Kind>
        <p className="review-file">
          <BookMarked size={16} />
          <b className="wrap-anywhere">{choice.name}</b>
        </p>
      </>
    )
  const file = choice?.type === 'file' ? toFile(choice) : null
  if (!file) return <NothingChosen />
  return (
    <>
      <Kind badge="CodeRules">JavaScript file</Kind>
      <p className="review-file">
        <FileCode size={16} />
        <b className="mono">{file.name}</b>
        <span>{formatFileSize(file.size)}</span>
      </p>
    </>
  )
}

function FirmwareContent({ choice, latest }: { choice: DeviceFirmware | undefined; latest: string | undefined }) {
  if (choice?.type === 'custom' && choice.data !== null)
    return (
      <>
        <Kind badge="Firmware">Custom file</Kind>
        <p className="review-file">
          <Cpu size={16} />
          <b className="mono">{choice.fileName}</b>
          <span>{formatFileSize(choice.data.size)}</span>
        </p>
      </>
    )
  if (choice?.type !== 'versioned' && choice?.type !== 'latest') return <NothingChosen />
  return (
    <>
      <Kind badge="Firmware">{choice.type === 'latest' || choice.version === latest ? 'Latest release' : 'Release'}</Kind>
      <p className="review-file">
        <b className="mono">{choice.type === 'latest' ? 'Latest' : choice.version}</b>
      </p>
    </>
  )
}

const Kind = ({ badge, children }: { badge: string; children: ReactNode }) => (
  <p className="review-kind">
    <Badge kind="accent">{badge}</Badge>
    <span>{children}</span>
  </p>
)

const NothingChosen = () => <p className="review-kind">Nothing chosen yet.</p>
