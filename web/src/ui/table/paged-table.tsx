import type { RowData } from '@tanstack/react-table'
import { useEffect, useState } from 'react'
import type { Query } from '../feedback/query-states.tsx'
import type { ListControl } from './list-control.ts'
import { Pager } from './pager.tsx'
import { QueryTable, type QueryTableProps } from './query-table.tsx'

interface Page {
  totalCount: number
  // Whether there may be more: they are still being counted, or are too many to count.
  hasMore?: true | undefined
}

interface PagedTableProps<Data extends Page, Row extends RowData>
  extends Omit<QueryTableProps<Data, Row>, 'list' | 'expected' | 'sort' | 'onSort'> {
  list: ListControl
  /** Such as `['reader', 'readers']`. */
  noun: readonly [one: string, many: string]
  isCapped?: boolean
}

export function PagedTable<Data extends Page, Row extends RowData>({ list, noun, isCapped, ...table }: PagedTableProps<Data, Row>) {
  const { sort } = list.state
  const sorting = sort.id === '' ? {} : { sort, onSort: (next: typeof sort) => list.show({ sort: next }) }
  return (
    <>
      <QueryTable {...table} {...sorting} list={list} expected={list.state.size} />
      <ListPager list={list} query={table.query} noun={noun} isCapped={isCapped} />
    </>
  )
}

interface ListPagerProps {
  list: ListControl
  query: Query<Page>
  noun: readonly [one: string, many: string]
  label?: string
  // Whether counting stops at a bound, so that the rest is never counted.
  isCapped?: boolean | undefined
}

/** Whether the shown rows are for another filter than the address has; their count would be read as that of the new one. */
export function useOtherFilter({ state }: Pick<ListControl, 'state'>, isPlaceholderData: boolean): boolean {
  const { page: _page, size: _size, sort: _sort, ...filters } = state
  const asked = JSON.stringify(filters)
  const [answered, setAnswered] = useState(asked)
  if (!isPlaceholderData && answered !== asked) setAnswered(asked)
  return isPlaceholderData && answered !== asked
}

/** Leads to the last page where the address has a later one. */
export function ListPager({ list, query: { data, isPlaceholderData }, noun: [one, many], label, isCapped }: ListPagerProps) {
  const { page, size, search = '' } = list.state
  const pages = data && !data.hasMore ? Math.max(1, Math.ceil(data.totalCount / size)) : undefined
  useEffect(() => {
    if (pages !== undefined && !isPlaceholderData && page >= pages) list.show({ page: pages - 1 }, { replace: true })
  }, [pages, isPlaceholderData, page, list])
  const isOther = useOtherFilter(list, isPlaceholderData)
  if (isOther) return <p className="pager text-ink-2">Loading…</p>
  if (!data || data.totalCount === 0) return null
  const matching = search.trim() === '' || isPlaceholderData ? '' : ` matching “${search.trim()}”`
  return (
    <Pager
      page={page + 1}
      pageSize={size}
      total={data.totalCount}
      hasMore={data.hasMore}
      isCapped={isCapped}
      noun={`${data.totalCount === 1 ? one : many}${matching}`}
      label={label}
      onPage={(next) => list.show({ page: next - 1 })}
      onPageSize={(next) => list.show({ size: next })}
    />
  )
}
