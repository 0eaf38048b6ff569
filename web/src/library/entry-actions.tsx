import type { LibraryContent, LibraryDetail } from '@lectern/contract/library.ts'
import { FilePlus, GitCompareArrows, Pencil, Printer, RotateCcw, Send, SlidersHorizontal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { useMutation } from '../lib/api/query.ts'
import { usePermission } from '../lib/session.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { EditEntry, NewVersion } from './entry-form.tsx'
import { savedConfigurationPath } from './reading.ts'

export interface EntryChanges {
  onVersion: (version: number) => void
  onDelete: (entry: LibraryDetail) => Promise<void>
  onCompare: (key: string | null, other?: string) => void
}

interface EntryActionsProps extends EntryChanges {
  entry: LibraryDetail
  shown: LibraryContent
  isSupported: boolean
  canPublish: boolean
}

export function EntryActions({ entry, shown, isSupported, canPublish, onDelete, onCompare, onVersion }: EntryActionsProps) {
  const { open } = useDialog()
  const organizationId = useOrganization()
  const mayConfigure = usePermission('manage:cfg')
  const mayPublish = mayConfigure && canPublish
  const { content, number } = shown
  const { id, device, version, mayChange } = entry
  return (
    <div className="saved-buttons">
      {mayPublish && (
        <ButtonLink variant="primary" icon={Send} to={paths.applyConfig({ configuration: id, version: String(number) })}>
          Publish to zones
        </ButtonLink>
      )}
      {content.kind === 'commands' && isSupported && (
        <>
          <ButtonLink small icon={Printer} to={savedConfigurationPath({ device, commands: content.commands }, 'success')}>
            Print / Save
          </ButtonLink>
          <ButtonLink small icon={SlidersHorizontal} to={savedConfigurationPath({ device, commands: content.commands }, 'builder')}>
            Open in the builder
          </ButtonLink>
          {mayConfigure && (
            <ButtonLink small to={paths.setUpReader({ configuration: id, version: String(number) })}>
              Set up a reader
            </ButtonLink>
          )}
        </>
      )}
      {mayChange && content.kind !== 'commands' && (
        <Button
          small
          icon={FilePlus}
          onClick={() => open((close) => <NewVersion organizationId={organizationId} entry={entry} close={close} shown={content} />)}
        >
          New version
        </Button>
      )}
      {mayChange && number !== version && <RestoreButton entry={entry} number={number} onRestored={onVersion} />}
      {mayChange && (
        <Button
          small
          icon={Pencil}
          onClick={() => open((close) => <EditEntry organizationId={organizationId} entry={entry} close={close} />)}
        >
          Rename or note
        </Button>
      )}
      <Button small icon={GitCompareArrows} onClick={() => (number === version ? onCompare(id) : onCompare(`${id}.${number}`, id))}>
        Compare
      </Button>
      {mayChange && <DeleteButton entry={entry} onDelete={onDelete} />}
    </div>
  )
}

function RestoreButton({ entry, number, onRestored }: { entry: LibraryDetail; number: number; onRestored: (version: number) => void }) {
  const organizationId = useOrganization()
  const toast = useToast()
  const { mutate, isPending } = useMutation('addLibraryVersion', {
    onSuccess: ({ version }) => {
      toast({ title: `Version ${number} restored`, detail: `${entry.name} has it as version ${version}.` })
      onRestored(version)
    },
  })
  return (
    <Button
      small
      icon={RotateCcw}
      busy={isPending}
      busyLabel="Restoring"
      onClick={() => mutate({ params: { organizationId, id: entry.id }, body: { restores: number } })}
    >
      Restore version {number}
    </Button>
  )
}

type DeleteButtonProps = Pick<EntryActionsProps, 'entry' | 'onDelete'>

function DeleteButton({ entry, onDelete }: DeleteButtonProps) {
  const [isDeleting, setDeleting] = useState(false)

  async function press() {
    setDeleting(true)
    // The row disappears with the configuration; a failure is shown by a toast.
    await onDelete(entry).catch(() => setDeleting(false))
  }

  return (
    <Button small variant="danger" className="saved-delete" icon={Trash2} busy={isDeleting} busyLabel="Deleting" onClick={press}>
      Delete
    </Button>
  )
}
