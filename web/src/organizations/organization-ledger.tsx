import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { q } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { StaleNotice } from '../ui/feedback/stale-notice.tsx'
import { Pager } from '../ui/table/pager.tsx'
import { type Directory, writeDirectory } from './directory.ts'
import { OrganizationSection } from './organization-section.tsx'

type OrganizationLedgerProps = {
  directory: Directory
  onDirectory: (directory: Directory, how?: { replace: boolean }) => void
  onClearSearch: () => void
}

/** A page of the directory: one section per organization, filtered and paged by the server. */
export function OrganizationLedger({ directory, onDirectory, onClearSearch }: OrganizationLedgerProps) {
  const text = directory.text.trim()
  const query = { PageNumber: directory.page, PageSize: directory.size, ...(text !== '' && { textFilter: text }) }
  const { data, isError, isFetching, isPlaceholderData, refetch } = useQuery({
    ...q('listAllOrganizations', { query }),
    placeholderData: keepPreviousData,
  })
  const pages = data && Math.max(1, Math.ceil(data.totalCount / directory.size))

  // There may be fewer than when the address was written.
  useEffect(() => {
    if (pages !== undefined && !isPlaceholderData && directory.page >= pages)
      onDirectory({ ...directory, page: pages - 1 }, { replace: true })
  }, [pages, isPlaceholderData, directory, onDirectory])

  if (!data)
    return isError ? <ErrorPanel message="Error loading organizations" onRetry={refetch} retrying={isFetching} /> : <LedgerToCome />
  const matching = text === '' ? '' : ` matching “${text}”`
  return (
    <>
      {isError && <StaleNotice message="Error loading organizations." onRetry={refetch} retrying={isFetching} />}
      {data.totalCount === 0 && !isPlaceholderData ? (
        <NoOrganizations text={text} onClear={onClearSearch} />
      ) : (
        <div className={classNames(isPlaceholderData && 'table-dimmed')} aria-busy={isPlaceholderData || undefined}>
          {data.organizationList.map((organization) => (
            <OrganizationSection key={organization.id} organization={organization} directory={String(writeDirectory(directory))} />
          ))}
        </div>
      )}
      {data.totalCount > 0 && (
        <Pager
          page={directory.page + 1}
          pageSize={directory.size}
          total={data.totalCount}
          noun={`${data.totalCount === 1 ? 'organization' : 'organizations'}${isPlaceholderData ? '' : matching}`}
          onPage={(page) => onDirectory({ ...directory, page: page - 1 })}
          onPageSize={(size) => onDirectory({ ...directory, size, page: 0 })}
        />
      )}
    </>
  )
}

function NoOrganizations({ text, onClear }: { text: string; onClear: () => void }) {
  if (text === '') return <EmptyState>No organizations yet. They appear when customers register.</EmptyState>
  return (
    <EmptyState
      action={
        <Button variant="link" onClick={onClear}>
          Clear search
        </Button>
      }
    >
      No organization matches “{text}”.
    </EmptyState>
  )
}

/** Sections that are still to come. */
function LedgerToCome() {
  return (
    <div aria-busy="true">
      <p className="sr-only" role="status">
        Loading...
      </p>
      {[180, 220, 160, 200].map((width) => (
        <div key={width} className="organization" aria-hidden="true">
          <div className="organization-head min-h-23">
            <Skeleton width={width} />
          </div>
          <ul className="organization-grid">
            <li>
              <Skeleton width={110} />
            </li>
          </ul>
        </div>
      ))}
    </div>
  )
}
