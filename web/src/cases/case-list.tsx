import type { CaseEntry } from '@lectern/contract/cases/cases.ts'
import { useEffect, useMemo } from 'react'
import { CallError } from '../lib/api/call-error.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { StaleNotice } from '../ui/feedback/stale-notice.tsx'
import { Pager } from '../ui/table/pager.tsx'
import { Table } from '../ui/table/table.tsx'
import type { CaseView } from './case-address.ts'
import { caseColumns } from './case-columns.tsx'
import { Unverified } from './unverified.tsx'
import { useCases } from './use-cases.ts'

type CaseListProps = {
  view: CaseView
  onView: (view: CaseView, how?: { replace: boolean }) => void
  onWhole: () => void
}

const none: CaseEntry[] = []

/** A page of cases, filtered and paged by the server. */
export function CaseList({ view, onView, onWhole }: CaseListProps) {
  const { data, error, isFetching, isPlaceholderData, refetch } = useCases(view)
  const columns = useMemo(() => caseColumns({ showContact: view.isEverybodys }), [view.isEverybodys])
  const total = data?.totalCount ?? 0
  const pages = Math.max(1, Math.ceil(total / view.size))

  // There may be fewer than when the address was written.
  useEffect(() => {
    if (data && !isPlaceholderData && view.page >= pages) onView({ ...view, page: pages - 1 }, { replace: true })
  }, [data, pages, isPlaceholderData, view, onView])

  if (isUnverified(error)) return <Unverified onRetry={refetch} />
  if (error && !data)
    return <ErrorPanel message="Error loading support cases" detail={error.message} onRetry={refetch} retrying={isFetching} />
  return (
    <>
      {error && <StaleNotice message="Error loading support cases." detail={error.message} onRetry={refetch} retrying={isFetching} />}
      {data && data.message !== '' && <Notice className="m-4">{data.message}</Notice>}
      {!data && (
        <p className="sr-only" role="status">
          Loading...
        </p>
      )}
      <Table
        label="Case table"
        columns={columns}
        rows={data?.listCase ?? none}
        rowId={({ id }) => id}
        loading={data ? 0 : view.size}
        dimmed={isPlaceholderData}
        empty={<NoCases view={view} onWhole={onWhole} />}
      />
      {data && total > 0 && (
        <Pager
          page={view.page + 1}
          pageSize={view.size}
          total={total}
          noun={total === 1 ? 'case' : 'cases'}
          onPage={(page) => onView({ ...view, page: page - 1 })}
          onPageSize={(size) => onView({ ...view, size, page: 0 })}
        />
      )}
    </>
  )
}

/** The server's answer to somebody who has not shown that their address is theirs (decided). */
const isUnverified = (error: Error | null): boolean => error instanceof CallError && error.status === 403

function NoCases({ view: { text, status, isEverybodys }, onWhole }: { view: CaseView; onWhole: () => void }) {
  if (text !== '' || status)
    return (
      <EmptyState
        action={
          <Button variant="link" onClick={onWhole}>
            Show all cases
          </Button>
        }
      >
        No case matches{text !== '' && ` “${text}”`}
        {status && ` with the status ${status}`}.
      </EmptyState>
    )
  return (
    <EmptyState
      action={
        <ButtonLink to={paths.newCase()} variant="link">
          Open a case
        </ButtonLink>
      }
    >
      {isEverybodys ? 'No support cases yet.' : 'You have no support cases.'}
    </EmptyState>
  )
}
