import type { LicenceHost } from '@lectern/contract/licences/licences.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { formatMinute } from '../lib/format.ts'
import { listAddress, pageQuery, useList } from '../lib/list-address.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'

export const licenceHostsAddress = listAddress()

export function LicenceHosts({ id }: { id: string }) {
  const params = { organizationId: useOrganization(), id }
  const list = useList(licenceHostsAddress)
  const query = useQuery({
    ...q('listLicenceHosts', { params, query: pageQuery(list.state) }),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel flush title="Host PCs that it enrolled" className="overflow-hidden">
      <PagedTable
        label="Host PCs that this licence enrolled"
        noun={['host PC', 'host PCs']}
        list={list}
        query={query}
        columns={columns}
        rows={({ hosts }) => hosts}
        rowId={({ id }) => id}
        failed="Error loading the host PCs"
        empty={<EmptyState>This licence has enrolled no host PC.</EmptyState>}
      />
    </Panel>
  )
}

const column = columnHelper<LicenceHost>()

const columns = column.columns([
  column.accessor('name', {
    header: 'Host PC',
    enableSorting: false,
    meta: { className: 'wrap-anywhere max-sm:col-span-full', record: 'title', width: 130 },
    cell: ({ row: { original: host } }) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        <b className="mono font-semibold">{host.name}</b>
        {host.simulated && <Badge kind="simulated">Simulated</Badge>}
      </span>
    ),
  }),
  column.accessor('zone', {
    header: 'Zone',
    enableSorting: false,
    meta: { className: 'whitespace-normal wrap-anywhere max-sm:col-span-full', width: 130 },
    cell: ({ getValue }) => {
      const zone = getValue()
      return zone ? zone.name : <span className="text-ink-3">Deleted</span>
    },
  }),
  column.accessor('enrolledAt', {
    header: 'Enrolled',
    enableSorting: false,
    meta: { width: 110 },
    cell: ({ getValue }) => <time dateTime={getValue()}>{formatMinute(getValue())}</time>,
  }),
  column.accessor('isOnline', {
    header: 'State',
    enableSorting: false,
    meta: { width: 110, className: 'whitespace-normal' },
    cell: ({ row: { original } }) => <HostState host={original} />,
  }),
])

function HostState({ host: { isOnline, removedAt } }: { host: LicenceHost }) {
  if (removedAt !== undefined) return <span className="text-ink-2">Removed {formatMinute(removedAt)}</span>
  return (
    <Status kind={isOnline ? 'ok' : 'bad'} spoken="">
      {isOnline ? 'Online' : 'Silent'}
    </Status>
  )
}
