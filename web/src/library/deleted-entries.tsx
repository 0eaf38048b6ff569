import { type DeletedLibraryEntry, deletedDays } from '@lectern/contract/library.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { q, useMutation } from '../lib/api/query.ts'
import { formatMinute } from '../lib/format.ts'
import { Button } from '../ui/button/button.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { QueryTable } from '../ui/table/query-table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'

const shownFirst = 5

/** Entries that the caller may restore; nothing where there are none. */
export function DeletedEntries({ organizationId }: { organizationId: string }) {
  const query = useQuery(q('listDeletedLibraryEntries', { params: { organizationId } }))
  const [showsAll, setShowsAll] = useState(false)
  const panel = useRef<HTMLElement>(null)
  // The pressed button disappears with its row, so the focus moves.
  const columns = useMemo(() => deletedColumns(organizationId, () => panel.current?.focus()), [organizationId])
  const count = query.data?.length ?? 0
  const rows = useMemo(() => (showsAll ? query.data : query.data?.slice(0, shownFirst)) ?? [], [query.data, showsAll])
  if (count === 0 && !query.error) return null
  return (
    <Panel
      flush
      ref={panel}
      tabIndex={-1}
      title={`Deleted configurations (${formatNumber(count)})`}
      foot={
        <>
          <p className="text-13 text-ink-2">A deleted configuration can be restored for {deletedDays} days.</p>
          {!showsAll && count > shownFirst && (
            <Button small onClick={() => setShowsAll(true)}>
              Show all deleted configurations
            </Button>
          )}
        </>
      }
    >
      <QueryTable
        label="Deleted configurations"
        query={query}
        columns={columns}
        rows={() => rows}
        rowId={({ id }) => id}
        failed="Error loading the deleted configurations"
        empty="No deleted configurations."
      />
    </Panel>
  )
}

const column = columnHelper<DeletedLibraryEntry>()

const deletedColumns = (organizationId: string, onRestored: () => void) =>
  column.columns([
    column.accessor('name', {
      header: 'Configuration Name',
      enableSorting: false,
      meta: { className: 'whitespace-normal wrap-anywhere font-semibold', record: 'title', width: 160 },
    }),
    column.accessor('device', { header: 'Device', enableSorting: false, meta: { record: 'subtitle', width: 80 } }),
    column.accessor('deletedAt', {
      header: 'Deleted',
      enableSorting: false,
      meta: { className: 'whitespace-normal text-ink-2', width: 120 },
      cell: ({ row: { original } }) =>
        `${formatMinute(original.deletedAt)}${original.deletedBy === undefined ? '' : ` by ${original.deletedBy}`}`,
    }),
    column.display({
      id: 'restore',
      header: 'Restore',
      meta: { numeric: true, record: 'action', width: 80 },
      cell: ({ row: { original } }) => <RestoreEntry organizationId={organizationId} entry={original} onRestored={onRestored} />,
    }),
  ])

interface RestoreEntryProps {
  organizationId: string
  entry: DeletedLibraryEntry
  onRestored: () => void
}

function RestoreEntry({ organizationId, entry: { id, name }, onRestored }: RestoreEntryProps) {
  const toast = useToast()
  const { mutate, isPending } = useMutation('restoreLibraryEntry', {
    onSuccess: (restored) => {
      toast({ title: 'Configuration restored', detail: restored.name })
      onRestored()
    },
  })
  return (
    <Button
      small
      icon={RotateCcw}
      busy={isPending}
      busyLabel="Restoring"
      aria-label={`Restore ${name}`}
      onClick={() => mutate({ params: { organizationId, id } })}
    >
      Restore
    </Button>
  )
}
