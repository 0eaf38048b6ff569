import './saved-details.css'
import { BuilderDevice, type Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import type { SavedConfiguration } from '@lectern/contract/library.ts'
import { GitCompareArrows, Printer, SlidersHorizontal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ConfigurationSymbols } from '../barcode/symbols/configuration-symbol.tsx'
import { InferredNotice } from '../barcode/symbols/evidence.tsx'
import { OptionLines, OptionLinesKey } from '../barcode/symbols/option-lines.tsx'
import { formatMinute } from '../lib/format.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { useConfirmDelete } from '../ui/dialog/confirm-delete.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { readConfiguration, savedConfigurationPath } from './reading.ts'

// Here, as the list must not load what knows barcodes before it is shown.
export const SupportBadge = ({ device }: { device: string }) =>
  !BuilderDevice.safeParse(device).success && <Badge kind="warn">config not supported for device</Badge>

interface SavedDetailsProps {
  configuration: SavedConfiguration
  catalogue: Catalogue
  onDelete: () => Promise<void>
  onCompare: () => void
}

export function SavedDetails({ configuration, catalogue, onDelete, onCompare }: SavedDetailsProps) {
  const reading = readConfiguration(catalogue, configuration)
  const { device } = reading
  return (
    <div className="saved-details">
      {device === null && (
        <Notice kind="warn" className="saved-unsupported">
          config not supported for device
        </Notice>
      )}
      {device !== null && (
        <div className="saved-symbols">
          <ConfigurationSymbols device={device} commands={configuration.commands} caption={configuration.name} />
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
      <div className="saved-actions">
        <DefinitionList
          left
          items={[
            ['Device', configuration.device],
            ['Created', formatMinute(configuration.creationDate)],
          ]}
        />
        <div className="saved-buttons">
          {device !== null && (
            <>
              <ButtonLink variant="primary" icon={Printer} to={savedConfigurationPath(configuration, 'success')}>
                Print / Save
              </ButtonLink>
              <ButtonLink icon={SlidersHorizontal} to={savedConfigurationPath(configuration, 'builder')}>
                Open in the builder
              </ButtonLink>
            </>
          )}
          <Button icon={GitCompareArrows} onClick={onCompare}>
            Compare
          </Button>
          <DeleteButton configuration={configuration} canRestore={device !== null} onDelete={onDelete} />
        </div>
      </div>
    </div>
  )
}

interface DeleteButtonProps extends Pick<SavedDetailsProps, 'configuration' | 'onDelete'> {
  canRestore: boolean
}

function DeleteButton({ configuration: { name }, canRestore, onDelete }: DeleteButtonProps) {
  const confirmDelete = useConfirmDelete()
  const [isDeleting, setDeleting] = useState(false)

  async function press() {
    if (!canRestore) {
      await confirmDelete({
        resource: 'Configuration',
        label: name,
        title: `the configuration “${name}”`,
        consequence: 'It is for a device that Lectern no longer supports, so it cannot be restored.',
        delete: onDelete,
      })
      return
    }
    setDeleting(true)
    // The row goes with the configuration; a toast shows a failure.
    await onDelete().catch(() => setDeleting(false))
  }

  return (
    <Button variant="danger" icon={Trash2} busy={isDeleting} busyLabel="Deleting" onClick={press}>
      Delete
    </Button>
  )
}
