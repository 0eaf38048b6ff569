import { type CaseEntry, type CaseList as Cases, caseStatuses } from '@lectern/contract/cases/cases.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus, UserCheck } from 'lucide-react'
import { Link } from 'react-router'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { formatMinute } from '../lib/format.ts'
import { type List, listAddress, oneOf, pageQuery, scope, searchQuery, text, useLinkState, useList } from '../lib/list-address.ts'
import { usePermission, useSession } from '../lib/session.ts'
import { useSettings } from '../lib/settings.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { PhoneLink } from '../ui/button/phone-link.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { orNotSet } from '../ui/feedback/or-not-set.tsx'
import { Segment } from '../ui/input/segment.tsx'
import { Select } from '../ui/input/select.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ListSearch } from '../ui/table/list-search.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { CaseStatusMark } from './case-status.tsx'
import { isUnverified, Unverified } from './unverified.tsx'

const filters = { search: text(), status: oneOf(['any', ...caseStatuses]), of: scope(oneOf(['everybody', 'me'])) }
export const casesAddress = listAddress({ filters })

const statuses = [{ value: 'any', label: 'Any status' }, ...caseStatuses.map((status) => ({ value: status, label: status }))] as const
const owners = [
  { value: 'everybody', label: 'Everybody’s' },
  { value: 'me', label: 'Mine' },
] as const

export default function SupportPage() {
  useDocumentTitle('Support')
  const { providerName, supportPhone } = useSettings()
  const { open } = useDialog()
  const isStaff = usePermission('global:access:organizations')
  return (
    <Page>
      <PageHead
        title="Support"
        intro={
          <>
            Cases at the support desk of {providerName}. For what cannot wait, call <PhoneLink phone={supportPhone} />.
          </>
        }
        actions={
          <>
            {isStaff && (
              <Button
                icon={UserCheck}
                onClick={() =>
                  void open(async (close) => {
                    const { VerifyAddress } = await import('./verify-address.tsx')
                    return <VerifyAddress close={close} />
                  })
                }
              >
                Verify an address
              </Button>
            )}
            <ButtonLink to={paths.newCase()} variant="primary" icon={Plus}>
              New case
            </ButtonLink>
          </>
        }
      />
      <Panel flush aria-label="Support cases" className="overflow-hidden">
        <CaseList isStaff={isStaff} />
      </Panel>
    </Page>
  )
}

function CaseList({ isStaff }: { isStaff: boolean }) {
  const list = useList(casesAddress)
  const { status, of } = list.state
  const isEverybodys = isStaff && of === 'everybody'
  const query = useCases(list.state, isEverybodys)
  if (isUnverified(query.error)) return <Unverified onRetry={query.refetch} />
  return (
    <>
      {query.data?.message && <Notice className="m-4">{query.data.message}</Notice>}
      <PagedTable
        label="Case table"
        noun={['case', 'cases']}
        list={list}
        query={query}
        columns={isEverybodys ? everybodysColumns : ownColumns}
        rows={({ listCase }) => listCase}
        rowId={({ id }) => id}
        failed="Error loading support cases"
        search={
          <>
            <ListSearch list={list} label="Search cases" placeholder={isStaff ? 'Subject, address or case' : 'Subject or case'} />
            <Select
              label="Status"
              className="sm:w-44"
              options={statuses}
              value={status}
              onChange={(next) => list.show({ status: next as typeof status })}
            />
          </>
        }
        tools={isStaff && <Segment label="Whose cases" choices={owners} value={of} onChange={(next) => list.show({ of: next })} />}
        empty={
          <EmptyState action={<ButtonLink to={paths.newCase()} variant="link" children="Open a case" />}>
            {isEverybodys ? 'No support cases yet.' : 'You have no support cases.'}
          </EmptyState>
        }
        noMatch={<NoMatch {...list.state} />}
        showAll="Show all cases"
      />
    </>
  )
}

type State = List<typeof filters>['state']

const NoMatch = ({ search, status }: State) => (
  <>
    No case matches{search.trim() !== '' && ` “${search.trim()}”`}
    {status !== 'any' && ` with the status ${status}`}.
  </>
)

function useCases(state: State, isEverybodys: boolean) {
  const email = useSession().user?.email
  const person = useQuery({ ...q('getCurrentUser', {}), enabled: !isEverybodys && !email })
  const address = email || person.data?.email
  const query = { ...pageQuery(state), ...searchQuery(state.search), ...(state.status !== 'any' && { status: state.status }) }
  const options = { placeholderData: keepPreviousData, select: withTotal }
  const own = useQuery({
    ...q('listCases', { params: { address: address ?? '' }, query }),
    ...options,
    enabled: !isEverybodys && address !== undefined,
  })
  const everybodys = useQuery({ ...q('listAllCases', { query }), ...options, enabled: isEverybodys })
  if (isEverybodys) return everybodys
  return person.error && !person.data ? { ...own, error: person.error, refetch: person.refetch } : own
}

const withTotal = (cases: Cases) => ({ ...cases, totalCount: cases.totalCount ?? cases.listCase.length })

const column = columnHelper<CaseEntry>()

const subject = column.accessor('subject', {
  header: 'Subject',
  enableSorting: false,
  meta: { className: 'table-main whitespace-normal wrap-anywhere', record: 'title', width: 240 },
  cell: ({ row: { original } }) => <CaseLink entry={original} />,
})
const status = column.accessor('status', {
  header: 'Status',
  enableSorting: false,
  meta: { record: 'aside', width: 70 },
  cell: ({ getValue }) => <CaseStatusMark status={getValue()} />,
})
const contact = column.accessor('contactEmail', {
  header: 'Contact',
  enableSorting: false,
  meta: { className: 'whitespace-normal wrap-anywhere max-sm:col-span-full', width: 160 },
  cell: ({ getValue }) => orNotSet(getValue()),
})
const number = column.accessor('id', {
  header: 'Case',
  enableSorting: false,
  meta: { width: 60 },
  cell: ({ getValue }) => <span className="mono">{getValue()}</span>,
})
const opened = column.accessor('createdDate', {
  header: 'Opened',
  enableSorting: false,
  meta: { className: 'max-sm:col-span-2', width: 110 },
  cell: ({ getValue }) => formatMinute(getValue()),
})
const ownColumns = column.columns([subject, status, number, opened])
const everybodysColumns = column.columns([subject, status, contact, number, opened])

function CaseLink({ entry: { id, subject: title } }: { entry: CaseEntry }) {
  const state = useLinkState()
  return (
    <Link to={paths.case({ caseId: id })} state={state} className="link font-semibold">
      {title || 'No subject'}
    </Link>
  )
}
