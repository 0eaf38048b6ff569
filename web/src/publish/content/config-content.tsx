import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { FileCode } from 'lucide-react'
import { Badge } from '../../ui/feedback/badge.tsx'
import { fileSize } from '../../ui/form/file-size.ts'
import type { DeviceConfig } from '../draft/choices.ts'
import { chosenFile } from '../draft/file-data.ts'

/** A configuration to be reviewed: its text, read-only, or its file. */
export function ConfigContent({ device, choice }: { device: UpdateModel; choice: DeviceConfig | undefined }) {
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
