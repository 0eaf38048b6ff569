import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { HostsCell } from './hosts-cell.tsx'
import { ZoneActions } from './zone-actions.tsx'
import { ZoneId } from './zone-id.tsx'
import { modelsPhrase, type ZoneRow } from './zone-row.ts'

const column = columnHelper<ZoneRow>()
const missing = {
  loading: <span title="loading...">...</span>,
  error: <span title="error loading data">?</span>,
}

export const zoneColumns = column.columns([
  column.accessor('name', {
    header: 'Zone',
    enableSorting: false,
    meta: { className: 'min-w-32 whitespace-normal wrap-anywhere py-1 font-semibold', record: 'title', width: 120 },
    cell: ({ row: { original: zone } }) => (
      <span className="flex flex-wrap items-center gap-2" data-new={zone.isNew || undefined}>
        <span className="line-clamp-3" title={zone.name}>
          {zone.name}
        </span>
        {zone.isNew && <Badge kind="accent">New</Badge>}
      </span>
    ),
  }),
  column.accessor('id', {
    header: 'Zone ID',
    enableSorting: false,
    meta: { record: 'action', width: 260 },
    cell: ({ row: { original: zone } }) => <ZoneId zone={zone} />,
  }),
  column.accessor('readers', {
    header: 'Readers',
    enableSorting: false,
    meta: { numeric: true, width: 40 },
    cell: ({ row: { original: zone } }) => (zone.overview === 'known' ? formatNumber(zone.readers) : missing[zone.overview]),
  }),
  column.accessor((zone) => modelsPhrase(zone.models), {
    id: 'models',
    header: 'Models',
    enableSorting: false,
    meta: { className: 'whitespace-normal text-ink-2 sm:min-w-40 sm:py-1', width: 150 },
    cell: ({ getValue, row: { original: zone } }) =>
      zone.overview === 'known' ? getValue() || <span className="text-ink-3">None yet</span> : missing[zone.overview],
  }),
  column.accessor('hosts', {
    header: 'Host PCs online',
    enableSorting: false,
    meta: { recordLabel: 'Host PCs', width: 80 },
    cell: ({ row: { original: zone } }) => (zone.overview === 'known' ? <HostsCell zone={zone} /> : missing[zone.overview]),
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    meta: { numeric: true, record: 'action', width: 140 },
    cell: ({ row: { original: zone } }) => <ZoneActions zone={zone} />,
  }),
])
