import type { Reader } from '@lectern/contract/readers.ts'
import { formatMinute } from '../lib/calendar-day.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { isOnline } from './connection.ts'
import { ReaderActions } from './reader-actions.tsx'

const column = columnHelper<Reader>()

/** The registry's columns; the server has put the readers in the order of their serial numbers. */
export const readerColumns = (onDeleted: () => void) =>
  column.columns([
    column.accessor('sn', {
      header: 'Serial number',
      enableSorting: false,
      meta: { className: 'whitespace-normal wrap-anywhere max-sm:col-span-full', record: 'title', width: 120 },
      cell: ({ row: { original: reader } }) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          <bdi className="mono font-semibold">{reader.sn}</bdi>
          {reader.isLost && <Badge kind="warn">Lost</Badge>}
        </span>
      ),
    }),
    column.display({
      id: 'status',
      header: 'Status',
      meta: { width: 60 },
      cell: ({ row: { original: reader } }) =>
        isOnline(reader, new Date()) ? (
          <Status kind="ok" spoken="">
            Online
          </Status>
        ) : (
          <Status kind={reader.lastActivityDate === null ? 'unknown' : 'bad'} spoken="">
            Offline
          </Status>
        ),
    }),
    column.accessor('lastActivityDate', {
      header: 'Last activity',
      enableSorting: false,
      meta: { width: 110 },
      cell: ({ getValue }) => {
        const at = getValue()
        return at === null ? <span className="text-ink-3">Never</span> : <time dateTime={at}>{formatMinute(at)}</time>
      },
    }),
    column.accessor('codeMasterId', {
      header: 'CodeMaster ID',
      enableSorting: false,
      meta: { className: 'whitespace-normal wrap-anywhere', width: 90 },
      cell: ({ getValue }) => getValue() ?? <span className="text-ink-3">Not set</span>,
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      meta: { numeric: true, record: 'action', width: 150 },
      cell: ({ row: { original: reader } }) => <ReaderActions reader={reader} onDeleted={onDeleted} />,
    }),
  ])
