import type { Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import { ConfigurationSymbols } from '../barcode/symbols/configuration-symbol.tsx'
import { InferredNotice } from '../barcode/symbols/evidence.tsx'
import { OptionLines, OptionLinesKey } from '../barcode/symbols/option-lines.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { readConfiguration } from './reading.ts'

// In this file, as the list must not load the part that knows barcodes.
export const SupportBadge = ({ device }: { device: string }) =>
  !BuilderDevice.safeParse(device).success && <Badge kind="warn">config not supported for device</Badge>

interface SavedDetailsProps {
  name: string
  device: string
  commands: readonly string[]
  catalogue: Catalogue
}

export function SavedDetails({ name, device: model, commands, catalogue }: SavedDetailsProps) {
  const reading = readConfiguration(catalogue, { device: model, commands })
  const { device } = reading
  return (
    <>
      {device === null && (
        <Notice kind="warn" className="saved-unsupported">
          config not supported for device
        </Notice>
      )}
      {device !== null && (
        <div className="saved-symbols">
          <ConfigurationSymbols device={device} commands={commands} caption={name} />
        </div>
      )}
      <div className="saved-options">
        <h2 className="caption">Options</h2>
        <InferredNotice options={reading.lines} className="my-2" />
        <OptionLines device={device} reading={reading} />
        <OptionLinesKey device={device} reading={reading} />
      </div>
      {/* Empty by the specification (§2): prefix and suffix are among the options. */}
      <section className="empty:hidden" aria-label="Prefix/Suffix" />
    </>
  )
}
