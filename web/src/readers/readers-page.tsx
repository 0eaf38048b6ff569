import { isOffline } from '@lectern/contract/devices/devices.ts'
import { type ConnectStatus, type Reader, ConnectStatus as Status } from '@lectern/contract/readers.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { formatMinute } from '../lib/format.ts'
import { listAddress, oneOf, pageQuery, searchQuery, text, useList } from '../lib/list-address.ts'
import { usePermission } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { orNotSet } from '../ui/feedback/or-not-set.tsx'
import { Status as StatusMark } from '../ui/feedback/status.tsx'
import { Segment } from '../ui/input/segment.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { lazyExtra } from '../ui/lazy.tsx'
import { ListSearch } from '../ui/table/list-search.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { ReaderActions } from './reader-actions.tsx'

const DeskRecords = lazyExtra(async () => (await import('../desk/desk-records.tsx')).DeskRecords)

export const readersAddress = listAddress({ filters: { search: text(), show: oneOf(Status.options) } })

/** Milliseconds between reads of the list: a reader may come online. */
const refreshEvery = 60_000

const statuses: readonly { value: ConnectStatus; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'online', label: 'Online' },
  { value: 'offline', label: 'Offline' },
]

export default function ReadersPage() {
  useDocumentTitle('Registered Readers')
  const organizationId = useOrganization()
  const { open } = useDialog()
  const mayChange = usePermission('manage:firmware')
  const list = useList(readersAddress)
  const { search, show } = list.state
  const query = useQuery({
    ...q('listReaders', {
      params: { customerid: organizationId, connectstatus: show },
      query: { ...pageQuery(list.state), ...searchQuery(search) },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery,
  })
  // The button that deleted a reader disappears with its row, so the focus moves.
  const columns = useMemo(() => readerColumns(mayChange, () => list.searchBox.current?.focus()), [mayChange, list.searchBox])
  const register = () =>
    open<void>(async (close) => {
      const { NewReader } = await import('./reader-form.tsx')
      return <NewReader organizationId={organizationId} close={close} />
    })

  return (
    <Page>
      <PageHead
        title="Registered Readers"
        intro="The readers that you own and entered by serial number, seen by a host PC or not: which are lost, and when each was last active. Online means within 72 hours."
        actions={mayChange && <Button variant="primary" icon={Plus} onClick={register} children="Register reader" />}
      />
      <Panel flush aria-label="Registered readers">
        <PagedTable
          label="Registered reader table"
          noun={['registered reader', 'registered readers']}
          list={list}
          query={query}
          columns={columns}
          rows={({ readers }) => readers}
          rowId={({ readerId }) => String(readerId)}
          failed="Error loading the registered readers"
          search={
            <ListSearch
              list={list}
              label="Search registered readers"
              placeholder="Serial number or CodeMaster ID"
              clearLabel="Clear filters"
            />
          }
          tools={<Segment label="Status" choices={statuses} value={show} onChange={(next) => list.show({ show: next })} />}
          empty={
            <EmptyState action={mayChange && <Button variant="link" onClick={register} children="Register the first one" />}>
              No registered readers yet.
            </EmptyState>
          }
          noMatch={search.trim() === '' ? `No registered reader is ${show}.` : 'No registered reader matches.'}
          showAll="Show all registered readers"
        />
      </Panel>
      <div className="mt-4">
        <DeskRecords />
      </div>
    </Page>
  )
}

const column = columnHelper<Reader>()

const readerColumns = (mayChange: boolean, onDeleted: () => void) =>
  column.columns([
    column.accessor('sn', {
      header: 'Serial number',
      enableSorting: false,
      meta: { className: 'wrap-anywhere max-sm:col-span-full', record: 'title', width: 120 },
      cell: ({ row: { original: reader } }) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          <bdi className="mono font-semibold">{reader.sn}</bdi>
          {reader.isLost && <Badge kind="warn">Lost</Badge>}
          {reader.simulated && <Badge kind="simulated">Simulated</Badge>}
        </span>
      ),
    }),
    column.display({
      id: 'status',
      header: 'Status',
      meta: { width: 60 },
      cell: ({ row: { original } }) => <Connection of={original} />,
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
      meta: { className: 'whitespace-normal wrap-anywhere', width: 90, from: 'medium' },
      cell: ({ getValue }) => orNotSet(getValue()),
    }),
    ...(mayChange
      ? [
          column.display({
            id: 'actions',
            header: 'Actions',
            meta: { numeric: true, record: 'action', width: 150 },
            cell: ({ row: { original: reader } }) => <ReaderActions reader={reader} onDeleted={onDeleted} />,
          }),
        ]
      : []),
  ])

function Connection({ of: { lastActivityDate: at } }: { of: Reader }) {
  const isOnline = at !== null && !isOffline(new Date(at), new Date())
  return (
    <StatusMark kind={isOnline ? 'ok' : at === null ? 'unknown' : 'bad'} spoken="">
      {isOnline ? 'Online' : 'Offline'}
    </StatusMark>
  )
}
