import type { CaseEntry } from '@lectern/contract/cases/cases.ts'
import { Link, useLocation } from 'react-router'
import { formatMinute } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { columnHelper } from '../ui/table/table-columns.ts'
import type { CameFrom } from './case-address.ts'
import { CaseStatusWord } from './case-status.tsx'

const column = columnHelper<CaseEntry>()

const contact = column.accessor('contactEmail', {
  header: 'Contact',
  enableSorting: false,
  meta: { className: 'whitespace-normal wrap-anywhere max-sm:col-span-full', width: 160 },
  cell: ({ getValue }) => getValue() ?? <span className="text-ink-3">Not set</span>,
})

/** The columns of the list; whose a case is only where there are everybody's. */
export const caseColumns = ({ showContact }: { showContact: boolean }) =>
  column.columns([
    column.accessor('subject', {
      header: 'Subject',
      enableSorting: false,
      meta: { className: 'min-w-60 whitespace-normal wrap-anywhere', record: 'title', width: 240 },
      cell: ({ row: { original } }) => <CaseLink entry={original} />,
    }),
    column.accessor('status', {
      header: 'Status',
      enableSorting: false,
      meta: { record: 'aside', width: 70 },
      cell: ({ getValue }) => <CaseStatusWord status={getValue()} />,
    }),
    ...(showContact ? [contact] : []),
    column.accessor('id', {
      header: 'Case',
      enableSorting: false,
      meta: { width: 60 },
      cell: ({ getValue }) => <span className="mono">{getValue()}</span>,
    }),
    column.accessor('createdDate', {
      header: 'Opened',
      enableSorting: false,
      meta: { className: 'max-sm:col-span-2', width: 110 },
      cell: ({ getValue }) => formatMinute(getValue()),
    }),
  ])

function CaseLink({ entry: { id, subject } }: { entry: CaseEntry }) {
  const { search } = useLocation()
  const from: CameFrom = { list: search }
  return (
    <Link to={paths.case({ caseId: id })} state={from} className="link font-semibold">
      {subject || 'No subject'}
    </Link>
  )
}
