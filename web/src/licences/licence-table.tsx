import type { Licence } from '@lectern/contract/licences/licences.ts'
import { X } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Input } from '../ui/input/input.tsx'
import { SearchInput } from '../ui/input/search-input.tsx'
import { useTypedText } from '../ui/input/typed-text.ts'
import { Pager } from '../ui/table/pager.tsx'
import { Table } from '../ui/table/table.tsx'
import { licenceColumns, licenceSort, tableSort } from './licence-columns.tsx'
import { firstList, isBackwards, isFiltered, type LicenceList, longestText } from './licence-list.ts'
import { useLicencePage, useLicenceTypes } from './use-licences.ts'

const none: Licence[] = []

type LicenceTableProps = {
  organizationId: string
  list: LicenceList
  onList: (list: LicenceList, how?: { replace: boolean }) => void
}

/** The licences that a list shows: paged, sorted and narrowed by the server. */
export function LicenceTable({ organizationId, list, onList }: LicenceTableProps) {
  const { data: types } = useLicenceTypes(organizationId)
  const columns = useMemo(() => licenceColumns(types), [types])
  const sort = useMemo(() => tableSort(list.sort), [list.sort])
  const backwards = isBackwards(list)
  const { data, isError, isFetching, isPlaceholderData, refetch } = useLicencePage(organizationId, list)
  const shown = backwards ? undefined : data
  const pages = shown && Math.max(1, Math.ceil(shown.totalCount / list.size))
  const box = useRef<HTMLInputElement>(null)
  const [typed, type] = useTypedText(list.text, (text) => onList({ ...list, text, page: 0 }, { replace: list.text !== '' && text !== '' }))

  // There may be fewer than when the address was written.
  useEffect(() => {
    if (pages !== undefined && !isPlaceholderData && list.page >= pages) onList({ ...list, page: pages - 1 }, { replace: true })
  }, [pages, isPlaceholderData, list, onList])

  function clear() {
    type('')
    onList({ ...firstList, sort: list.sort, size: list.size })
    // The button that did it is gone.
    box.current?.focus()
  }

  const failed = isError && !shown
  return (
    <>
      <Table
        label="Licence table"
        columns={columns}
        rows={shown?.licenses ?? none}
        rowId={({ id }) => id}
        sort={sort}
        onSort={(next) => onList({ ...list, sort: licenceSort(next), page: 0 })}
        search={
          <SearchInput
            ref={box}
            label="Search licences"
            placeholder="Number, purchase order or serial number"
            maxLength={longestText}
            autoComplete="off"
            value={typed}
            onChange={(event) => type(event.target.value)}
          />
        }
        tools={
          <>
            <span className="inline-flex items-center gap-2 max-sm:w-full">
              <Day label="First day" value={list.from} onChange={(from) => onList({ ...list, from, page: 0 })} />
              <span className="text-ink-3">to</span>
              <Day label="Last day" value={list.to} onChange={(to) => onList({ ...list, to, page: 0 })} />
            </span>
            {isFiltered(list) && (
              <Button variant="ghost" icon={X} onClick={clear}>
                Clear filters
              </Button>
            )}
          </>
        }
        dimmed={isPlaceholderData}
        loading={shown || failed || backwards ? 0 : list.size}
        empty={
          backwards ? (
            <EmptyState>The last day is before the first.</EmptyState>
          ) : failed ? (
            <ErrorPanel message="Error loading licences" onRetry={refetch} retrying={isFetching} />
          ) : isFiltered(list) ? (
            <EmptyState
              action={
                <Button variant="link" onClick={clear}>
                  Show all licences
                </Button>
              }
            >
              No licence matches.
            </EmptyState>
          ) : (
            <EmptyState action={<ButtonLink to="?edit=new" variant="link" children="Create the first one" />}>No licences yet.</EmptyState>
          )
        }
      />
      {shown && shown.totalCount > 0 && (
        <Pager
          page={list.page + 1}
          pageSize={list.size}
          total={shown.totalCount}
          noun={shown.totalCount === 1 ? 'licence' : 'licences'}
          onPage={(page) => onList({ ...list, page: page - 1 })}
          onPageSize={(size) => onList({ ...list, size, page: 0 })}
        />
      )}
    </>
  )
}

function Day({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  return (
    <Input
      type="date"
      className="min-w-0 sm:w-36"
      max="9999-12-31"
      aria-label={label}
      title={`${label}, in UTC`}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
