import './transfer.css'
import { formatFileSize } from '@lectern/contract/text/file-size.ts'

interface TransferProps {
  label: string
  /** Bytes. */
  sent: number
  /** Bytes; 0 until it is known. */
  total: number
}

/** "Finishing" once everything is sent and the response has not come. */
export function Transfer({ label, sent, total }: TransferProps) {
  const isSent = total > 0 && sent >= total
  return (
    <div className="transfer">
      <p>
        <b>{label}</b>
        <span className="mono">
          {isSent
            ? 'Finishing'
            : total > 0
              ? `${formatFileSize(sent)} of ${formatFileSize(total)}, ${Math.floor((sent / total) * 100)} %`
              : 'Starting'}
        </span>
      </p>
      <progress aria-label={label} max={total || 1} value={sent} />
    </div>
  )
}
