import { fileSize } from '../form/file-size.ts'

type TransferProps = {
  /** What is under way, e.g. "Uploading reader-4.12.0.crvfw". */
  label: string
  /** Bytes. */
  sent: number
  /** Bytes; 0 before it is known. */
  total: number
}

/** How much of a file has gone, as a bar and in words. All of it gone, whoever takes it has yet to say yes. */
export function Transfer({ label, sent, total }: TransferProps) {
  const isSent = total > 0 && sent >= total
  return (
    <div className="transfer">
      <p>
        <b>{label}</b>
        <span className="mono">
          {isSent ? 'Finishing' : total > 0 ? `${fileSize(sent)} of ${fileSize(total)}, ${Math.floor((sent / total) * 100)} %` : 'Starting'}
        </span>
      </p>
      <progress aria-label={label} max={total || 1} value={sent} />
    </div>
  )
}
