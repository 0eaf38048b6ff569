import '../ui/table/table.css'
import { formatNames } from '@lectern/contract/text/names.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import type { Zone } from '@lectern/contract/zones.ts'
import { fileSave } from 'browser-fs-access'
import { Copy, Download, NotebookPen, Trash2 } from 'lucide-react'
import { useMutation } from '../lib/api/query.ts'
import { usePermission } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { useConfirmDelete } from '../ui/dialog/confirm-delete.tsx'
import type { useDialog } from '../ui/dialog/dialog.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { Ellipsis } from '../ui/feedback/ellipsis.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { deletionConsequence, shortenName, type ZoneRow } from './zone-row.ts'

const column = columnHelper<ZoneRow>()
const namedModels = 3
const missing = {
  loading: <span title="loading...">...</span>,
  error: <span title="error loading data">?</span>,
}

interface RowActions {
  onDeleted: () => void
  onTag: (tag: string) => void
  /** Of the table: its dialogs stay open where rows become cards. */
  open: ReturnType<typeof useDialog>['open']
}

export const zoneColumns = ({ onDeleted, onTag, open }: RowActions) =>
  column.columns([
    column.accessor('name', {
      header: 'Zone',
      enableSorting: false,
      meta: { className: 'table-main max-sm:col-span-full', record: 'title', width: 120 },
      cell: ({ row: { original: zone } }) => <NameAndNote zone={zone} onTag={onTag} />,
    }),
    column.accessor('id', {
      header: 'Zone ID',
      enableSorting: false,
      meta: { record: 'hidden', from: 'wide', width: 260 },
      cell: ({ row: { original: zone } }) => <ZoneId zone={zone} />,
    }),
    column.accessor('readers', {
      header: 'Readers',
      enableSorting: false,
      meta: { numeric: true, width: 40 },
      cell: ({ row: { original: zone } }) => (zone.overview === 'known' ? <Readers zone={zone} /> : missing[zone.overview]),
    }),
    column.accessor((zone) => formatNames(zone.models, namedModels), {
      id: 'models',
      header: 'Models',
      enableSorting: false,
      // Two lines high, also while they load.
      meta: { className: 'whitespace-normal text-ink-2 sm:h-14 sm:min-w-36', width: 150, from: 'large' },
      cell: ({ getValue, row: { original: zone } }) =>
        zone.overview === 'known' ? getValue() || <span className="text-ink-3">None yet</span> : missing[zone.overview],
    }),
    column.accessor('hosts', {
      header: 'Host PCs online',
      enableSorting: false,
      meta: { recordLabel: 'Host PCs', width: 120 },
      cell: ({ row: { original: zone } }) => (zone.overview === 'known' ? <Hosts zone={zone} open={open} /> : missing[zone.overview]),
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      meta: { numeric: true, record: 'action', width: 180 },
      cell: ({ row: { original: zone } }) => (
        <span className="table-actions">
          <span className="table-until-wide">
            <CopyButton zone={zone} />
          </span>
          <EditNoteButton zone={zone} open={open} />
          <ZoneActions zone={zone} onDeleted={onDeleted} />
        </span>
      ),
    }),
  ])

function NameAndNote({ zone, onTag }: { zone: ZoneRow; onTag: (tag: string) => void }) {
  return (
    <div className="grid" data-new={zone.isNew || undefined}>
      <span className="flex items-center gap-2">
        <Ellipsis twoLines className="flex-1 font-semibold">
          {zone.name}
        </Ellipsis>
        {zone.isNew && <Badge kind="accent">New</Badge>}
      </span>
      {zone.note && (
        <Ellipsis twoLines className="text-13 whitespace-pre-line text-ink-2">
          {zone.note}
        </Ellipsis>
      )}
      {zone.tags && (
        <ul className="mt-1 flex flex-wrap gap-1" aria-label={`Tags of ${zone.name}`}>
          {zone.tags.map((tag) => (
            <li key={tag} className="max-w-full">
              <button type="button" className="max-w-full" aria-label={`Show the zones tagged ${tag}`} onClick={() => onTag(tag)}>
                <Badge>{tag}</Badge>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

// Browsers deny the clipboard to pages over plain HTTP.
const hasClipboard = () => 'clipboard' in navigator

function useCopyId(zone: Zone) {
  const toast = useToast()
  return async () => {
    try {
      await navigator.clipboard.writeText(zone.id)
      toast({ title: 'Zone ID copied', detail: shortenName(zone.name) })
    } catch {
      toast({ title: 'Zone ID not copied', detail: `The browser did not allow it. Select it by hand: ${zone.id}`, bad: true })
    }
  }
}

// For tables without room for the ID.
function CopyButton({ zone }: { zone: Zone }) {
  const copy = useCopyId(zone)
  return <IconButton small icon={Copy} label={`Copy zone ID ${zone.id} of ${zone.name}`} onClick={() => void copy()} />
}

function ZoneId({ zone }: { zone: Zone }) {
  const copy = useCopyId(zone)
  if (!hasClipboard()) return <span className="mono select-all text-ink-2">{zone.id}</span>
  const label = `Copy zone ID ${zone.id} of ${zone.name}`
  return (
    <button
      type="button"
      className="mono group relative text-left text-ink-2 hover:text-ink max-sm:min-h-11"
      // Its own title, as another one would be read out too.
      title={label}
      aria-label={label}
      onClick={copy}
    >
      {zone.id}
      <Copy
        size={13}
        className="absolute top-1/2 left-full ml-1 -translate-y-1/2 opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100 pointer-coarse:opacity-100"
      />
    </button>
  )
}

// Simulated host PCs are marked beside them.
const Readers = ({ zone }: { zone: ZoneRow }) => (
  <>
    {formatNumber(zone.readers)} {zone.simulated > 0 && !zone.hasSimulatedHost && <Badge kind="simulated">Simulated</Badge>}
    {zone.otherReaders > 0 && <Badge>+ {counted(zone.otherReaders, 'other model')}</Badge>}
  </>
)

function Hosts({ zone, open }: { zone: ZoneRow } & Pick<RowActions, 'open'>) {
  const { hosts: total, online } = zone
  if (total === 0) return <span className="text-ink-3">None yet</span>
  return (
    <span className="inline-flex items-center gap-x-2 max-sm:flex-wrap">
      <button
        type="button"
        className="underline-offset-4 hover:underline max-sm:min-h-11"
        aria-label={`${online} of ${counted(total, 'host PC')} online in ${zone.name}`}
        onClick={() =>
          open<void>(async (close) => {
            const { HostsDialog } = await import('./hosts-dialog.tsx')
            return <HostsDialog zone={zone} close={close} />
          })
        }
      >
        <Status kind={online === total ? 'ok' : online > 0 ? 'warn' : 'bad'}>
          {online} of {total}
        </Status>
      </button>
      {zone.hasSimulatedHost && <Badge kind="simulated">Simulated</Badge>}
      {(zone.hasHostOnTwoPcs || zone.hasWrongClock) && (
        <span className="grid justify-items-start gap-1">
          {zone.hasHostOnTwoPcs && <Badge kind="warn">On two PCs</Badge>}
          {zone.hasWrongClock && <Badge kind="warn">Clock wrong</Badge>}
        </span>
      )}
    </span>
  )
}

function EditNoteButton({ zone, open }: { zone: Zone } & Pick<RowActions, 'open'>) {
  const canEdit = usePermission('manage:firmware')
  if (!canEdit) return null
  return (
    <IconButton
      small
      icon={NotebookPen}
      label={`Edit note and tags of ${zone.name}`}
      onClick={() =>
        open<void>(async (close) => {
          const { EditNote } = await import('./edit-note.tsx')
          return <EditNote zone={zone} close={close} />
        })
      }
    />
  )
}

function ZoneActions({ zone, onDeleted }: { zone: ZoneRow; onDeleted: () => void }) {
  const canDelete = usePermission('manage:firmware')
  const toast = useToast()
  const confirmDelete = useConfirmDelete()
  const { mutateAsync: deleteZone } = useMutation('deleteZone', { awaitReads: true, errorInPlace: true })
  const { organizationId, id, name } = zone

  async function askToDelete() {
    const isDeleted = await confirmDelete({
      resource: 'Zone',
      label: shortenName(name),
      consequence: `Are you sure you would like to delete this zone? ${deletionConsequence(zone)}`,
      yes: 'Yes',
      delete: () => deleteZone({ params: { organizationId, location: id } }),
    })
    if (isDeleted) onDeleted()
  }

  async function download() {
    try {
      await saveLocationFile(id)
    } catch (error) {
      toast({ title: 'Location file not saved', detail: (error as Error).message, bad: true })
      throw error
    }
  }

  return (
    <span className="inline-flex items-center gap-2">
      <Button small icon={Download} aria-label={`Location file for ${name}`} onClick={download}>
        <span className="table-label">Location file</span>
      </Button>
      {canDelete && <IconButton small bad icon={Trash2} label={`Delete ${name}`} onClick={askToDelete} />}
    </span>
  )
}

/** @throws what saving throws; "Expected an error" for what is no Error (spec §8). Cancelling the save dialog is no error. */
async function saveLocationFile(zoneId: string): Promise<void> {
  try {
    await fileSave(new Blob([zoneId]), { fileName: 'Location.ctxdm', extensions: ['.ctxdm'], description: 'CodeDM Location File' })
  } catch (error) {
    if (!(error instanceof Error)) throw new Error('Expected an error')
    if (error.name !== 'AbortError') throw error
  }
}
