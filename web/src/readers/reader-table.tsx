import type { ConnectStatus, Reader } from '@lectern/contract/readers.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { q } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { SearchInput } from '../ui/input/search-input.tsx'
import { Segment } from '../ui/input/segment.tsx'
import { useTypedText } from '../ui/input/typed-text.ts'
import { Pager } from '../ui/table/pager.tsx'
import { Table } from '../ui/table/table.tsx'
import { readerColumns } from './reader-columns.tsx'
import { firstList, longestText, type ReaderList } from './reader-list.ts'

const none: Reader[] = []
/** Milliseconds until the list is asked for again: a reader may have come online. */
const refreshEvery = 60_000

const statuses: readonly { value: ConnectStatus; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'online', label: 'Online' },
  { value: 'offline', label: 'Offline' },
]

type ReaderTableProps = {
  organizationId: string
  list: ReaderList
  onList: (list: ReaderList, how?: { replace: boolean }) => void
  /** What stands where no reader is registered at all. */
  register: ReactNode
}

/** The readers that a list shows: paged and narrowed by the server, refreshed while somebody looks. */
export function ReaderTable({ organizationId, list, onList, register }: ReaderTableProps) {
  const box = useRef<HTMLInputElement>(null)
  // The button that deleted a reader has gone with it.
  const columns = useMemo(() => readerColumns(() => box.current?.focus()), [])
  const { status, text, page, size } = list
  const query = { PageNumber: page, PageSize: size, ...(text.trim() !== '' && { textFilter: text.trim() }) }
  const { data, isError, isFetching, isPlaceholderData, refetch } = useQuery({
    ...q('listReaders', { params: { customerid: organizationId, connectstatus: status }, query }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery,
  })
  const pages = data && Math.max(1, Math.ceil(data.totalCount / size))
  const [typed, type] = useTypedText(text, (next) => onList({ ...list, text: next, page: 0 }, { replace: text !== '' && next !== '' }))

  // There may be fewer than when the address was written.
  useEffect(() => {
    if (pages !== undefined && !isPlaceholderData && page >= pages) onList({ ...list, page: pages - 1 }, { replace: true })
  }, [pages, isPlaceholderData, page, list, onList])

  function clear() {
    type('')
    onList({ ...firstList, size })
    // The button that did it is gone.
    box.current?.focus()
  }

  const isNarrowed = status !== 'all' || text.trim() !== ''
  const failed = isError && !data
  return (
    <>
      <Table
        label="Reader table"
        columns={columns}
        rows={data?.readers ?? none}
        rowId={({ readerId }) => String(readerId)}
        search={
          <>
            <SearchInput
              ref={box}
              label="Search readers"
              placeholder="Serial number or CodeMaster ID"
              maxLength={longestText}
              autoComplete="off"
              value={typed}
              onChange={(event) => type(event.target.value)}
            />
            {isNarrowed && (
              <Button variant="ghost" icon={X} onClick={clear}>
                Clear filters
              </Button>
            )}
          </>
        }
        tools={<Segment label="Status" choices={statuses} value={status} onChange={(next) => onList({ ...list, status: next, page: 0 })} />}
        dimmed={isPlaceholderData}
        loading={data || failed ? 0 : size}
        empty={
          failed ? (
            <ErrorPanel message="Error loading readers" onRetry={refetch} retrying={isFetching} />
          ) : isNarrowed ? (
            <EmptyState
              action={
                <Button variant="link" onClick={clear}>
                  Show all readers
                </Button>
              }
            >
              {text.trim() === '' ? `No reader is ${status}.` : 'No reader matches.'}
            </EmptyState>
          ) : (
            <EmptyState action={register}>No readers registered yet.</EmptyState>
          )
        }
      />
      {data && data.totalCount > 0 && (
        <Pager
          page={page + 1}
          pageSize={size}
          total={data.totalCount}
          noun={data.totalCount === 1 ? 'reader' : 'readers'}
          onPage={(next) => onList({ ...list, page: next - 1 })}
          onPageSize={(next) => onList({ ...list, size: next, page: 0 })}
        />
      )}
    </>
  )
}
