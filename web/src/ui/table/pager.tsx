import './pager.css'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react'
import { IconButton } from '../button/icon-button.tsx'
import { PageInput } from '../input/page-input.tsx'
import { Segment } from '../input/segment.tsx'

interface PagerProps {
  /** From 1. */
  page: number
  pageSize: number
  total: number
  // Whether there may be more than `total`: they are still being counted, or are too many to count.
  hasMore?: boolean | undefined
  isCapped?: boolean | undefined
  noun: string
  // The name of its landmark, for pages with two lists.
  label?: string | undefined
  onPage: (page: number) => void
  onPageSize?: (size: number) => void
  sizes?: readonly number[]
}

export function Pager({
  page,
  pageSize,
  total,
  hasMore = false,
  isCapped = false,
  noun,
  label = 'Pages',
  onPage,
  onPageSize,
  sizes = [10, 25, 50, 100],
}: PagerProps) {
  const pages = hasMore ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(total / pageSize))
  const first = total === 0 ? 0 : (page - 1) * pageSize + 1
  const last = Math.min(page * pageSize, total)
  return (
    <div className="pager">
      {onPageSize && (
        <>
          <span className="pager-rows">Rows</span>
          <Segment
            small
            label="Rows per page"
            choices={sizes.map((size) => ({ value: size, label: String(size) }))}
            value={pageSize}
            onChange={onPageSize}
          />
        </>
      )}
      <span className="pager-range">
        <b>
          {formatNumber(first)}–{formatNumber(last)}
        </b>{' '}
        {hasMore && !isCapped
          ? `of the ${noun}, which are being counted …`
          : `of ${hasMore ? 'more than ' : ''}${formatNumber(total)} ${noun}`}
      </span>
      <span className="pager-space" />
      <nav className="pager-pages" aria-label={label}>
        <IconButton small icon={ChevronsLeft} label="First page" disabled={page <= 1} onClick={() => onPage(1)} />
        <IconButton small icon={ChevronLeft} label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)} />
        <span>Page</span>
        <PageInput label="Page" key={page} page={page} pages={pages} onPage={onPage} />
        <span>of {hasMore ? '…' : formatNumber(pages)}</span>
        <IconButton small icon={ChevronRight} label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)} />
        <IconButton small icon={ChevronsRight} label="Last page" disabled={hasMore || page >= pages} onClick={() => onPage(pages)} />
      </nav>
    </div>
  )
}
