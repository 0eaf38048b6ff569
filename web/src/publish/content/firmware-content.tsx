import { Cpu } from 'lucide-react'
import { Badge } from '../../ui/feedback/badge.tsx'
import { fileSize } from '../../ui/form/file-size.ts'
import type { DeviceFirmware } from '../draft/choices.ts'

type FirmwareContentProps = { choice: DeviceFirmware | undefined; versions: readonly string[] | undefined }

/** A firmware to be reviewed: its version, or the name of a file of the customer's own. */
export function FirmwareContent({ choice, versions }: FirmwareContentProps) {
  if (choice?.type === 'custom' && choice.data !== null)
    return (
      <>
        <p className="review-kind">
          <Badge kind="accent">Firmware</Badge>
          <span>Custom file</span>
        </p>
        <p className="review-file">
          <Cpu size={16} />
          <b className="mono">{choice.fileName}</b>
          <span>{fileSize(choice.data.size)}</span>
        </p>
      </>
    )
  if (choice?.type !== 'versioned' && choice?.type !== 'latest') return <p className="review-kind">Nothing chosen yet.</p>
  return (
    <>
      <p className="review-kind">
        <Badge kind="accent">Firmware</Badge>
        <span>{choice.type === 'latest' || choice.version === versions?.[0] ? 'Latest release' : 'Release'}</span>
      </p>
      <p className="review-file">
        <b className="mono">{choice.type === 'latest' ? 'Latest' : choice.version}</b>
      </p>
    </>
  )
}
