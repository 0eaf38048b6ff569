import { type Licence, LicenceColumn, type LicencePage, type LicenceType } from '@lectern/contract/licences/licences.ts'
import { CalendarDate } from '@lectern/contract/text/text.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { formatCalendarDay } from '../lib/format.ts'
import { listAddress, optional, pageQuery, searchQuery, sortQuery, text, useLinkState, useList } from '../lib/list-address.ts'
import { usePermission } from '../lib/session.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { Ellipsis } from '../ui/feedback/ellipsis.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { orNotSet } from '../ui/feedback/or-not-set.tsx'
import { Input } from '../ui/input/input.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { ListSearch } from '../ui/table/list-search.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { getTypeName, useLicenceTypes } from './licence-types.ts'

const LicenceForm = lazyPart(async () => (await import('./licence-form.tsx')).LicenceForm)

export const licencesAddress = listAddress({
  filters: { search: text(), from: optional(CalendarDate), to: optional(CalendarDate) },
  sort: { columns: LicenceColumn.options, first: { id: 'Date', descending: true } },
})

export default function LicencesPage() {
  useDocumentTitle('Licences')
  const organizationId = useOrganization()
  const canCreate = usePermission('manage:licences')
  const isNew = useSearchParams()[0].get('edit') === 'new' && canCreate

  return (
    <>
      {isNew && <BackStrip to={paths.licences()} label="All licences" />}
      <Page>
        <PageHead
          title="Licences"
          intro="A licence number, or its signed file, enrolls a host PC in a zone of your organization."
          actions={
            canCreate &&
            !isNew && (
              <ButtonLink to={newLicence} variant="primary" icon={Plus}>
                New licence
              </ButtonLink>
            )
          }
        />
        {isNew ? <LicenceForm organizationId={organizationId} /> : <LicenceTable organizationId={organizationId} />}
      </Page>
    </>
  )
}

const newLicence = '?edit=new'
const noLicences: LicencePage = { licenses: [], totalCount: 0, pageNumber: 0, pageSize: 0 }

function LicenceTable({ organizationId }: { organizationId: string }) {
  const list = useList(licencesAddress)
  const canCreate = usePermission('manage:licences')
  const { search, from, to, sort } = list.state
  const { data: types } = useLicenceTypes(organizationId)
  const columns = useMemo(() => licenceColumns(types), [types])
  const isBackwards = from !== '' && to !== '' && from > to
  const query = useQuery({
    ...q('listLicences', {
      params: { organizationId },
      query: {
        ...pageQuery(list.state),
        ...sortQuery(sort),
        ...searchQuery(search),
        ...(from && { startDate: from }),
        ...(to && { endDate: to }),
      },
    }),
    placeholderData: keepPreviousData,
    enabled: !isBackwards,
  })

  return (
    <Panel flush aria-label="Licences">
      <PagedTable
        label="Licence table"
        noun={['licence', 'licences']}
        list={list}
        query={isBackwards ? { ...query, data: noLicences, error: null, isPlaceholderData: false } : query}
        columns={columns}
        rows={({ licenses }) => licenses}
        rowId={({ id }) => id}
        failed="Error loading licences"
        search={
          <ListSearch
            list={list}
            label="Search licences"
            placeholder="Number, purchase order or serial number"
            clearLabel="Clear filters"
          />
        }
        tools={
          <span className="inline-flex items-center gap-2 max-sm:w-full">
            <Day label="First day" value={from} onChange={(day) => list.show({ from: day })} />
            <span className="text-ink-3">to</span>
            <Day label="Last day" value={to} onChange={(day) => list.show({ to: day })} />
          </span>
        }
        empty={
          <EmptyState action={canCreate && <ButtonLink to={newLicence} variant="link" children="Create the first one" />}>
            No licences yet.
          </EmptyState>
        }
        noMatch={isBackwards ? 'The last day is before the first.' : 'No licence matches.'}
        showAll="Show all licences"
      />
    </Panel>
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

const column = columnHelper<Licence>()
const sortable = (field: LicenceColumn) => ({ id: field, enableSorting: true })

const licenceColumns = (types: readonly LicenceType[] | undefined) =>
  column.columns([
    column.accessor('licenseNumber', {
      ...sortable('LicenseNumber'),
      header: 'Licence number',
      meta: { className: 'wrap-anywhere max-sm:col-span-full', record: 'title', width: 180 },
      cell: ({ row: { original } }) => <LicenceLink licence={original} />,
    }),
    column.accessor('licenseId', {
      header: 'Type',
      enableSorting: false,
      meta: { className: 'whitespace-normal', width: 80 },
      cell: ({ getValue }) => getTypeName(types, getValue()),
    }),
    column.accessor('serialNumbers', {
      header: 'Serial numbers',
      enableSorting: false,
      meta: { className: 'whitespace-normal wrap-anywhere', width: 120 },
      cell: ({ getValue }) => <Serials of={getValue()} />,
    }),
    column.accessor('purchaseOrderNumber', {
      ...sortable('PurchaseOrderNumber'),
      header: 'Purchase order',
      meta: { className: 'table-name', width: 90, from: 'large' },
      cell: ({ getValue }) => orNotSet(getValue(), <Ellipsis>{getValue() ?? ''}</Ellipsis>),
    }),
    column.accessor('date', {
      ...sortable('Date'),
      header: 'Date',
      sortDescFirst: true,
      meta: { width: 70 },
      cell: ({ getValue }) => formatCalendarDay(getValue().slice(0, 10)),
    }),
    column.accessor('hasFile', {
      header: 'Licence file',
      enableSorting: false,
      meta: { width: 60, from: 'large' },
      cell: ({ getValue }) => (getValue() ? <Badge>Signed</Badge> : <span className="text-ink-3">None</span>),
    }),
  ])

function LicenceLink({ licence }: { licence: Licence }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Link className="link mono" to={paths.licence({ id: licence.id })} state={useLinkState()}>
        {licence.licenseNumber}
      </Link>
      {licence.revoked && <Badge kind="warn">Revoked</Badge>}
    </span>
  )
}

function Serials({ of: [first, ...more] }: { of: readonly string[] }) {
  if (first === undefined) return <span className="text-ink-3">None</span>
  return (
    <>
      <bdi className="mono">{first}</bdi>
      {more.length > 0 && <span className="text-ink-3"> and {more.length} more</span>}
    </>
  )
}
