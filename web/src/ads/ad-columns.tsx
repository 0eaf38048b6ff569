import type { Ad } from '@lectern/contract/ads.ts'
import { Pencil } from 'lucide-react'
import { formatCalendarDay, formatDay } from '../lib/format.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { getStanding, statusNames } from './ad-standing.ts'
import { DeleteAd } from './delete-ad.tsx'

const column = columnHelper<Ad>()

export const adColumns = column.columns([
  column.accessor('title', {
    header: 'Title',
    meta: { className: 'min-w-40 whitespace-normal wrap-anywhere py-2 max-sm:col-span-full', record: 'title', width: 160 },
    cell: ({ row: { original: ad } }) => (
      <>
        <b className="block font-semibold">{ad.title}</b>
        <span className="block max-w-100 text-ink-2">{ad.description || 'No description'}</span>
      </>
    ),
  }),
  column.accessor((ad) => getStanding(ad), {
    id: 'shown',
    header: 'Shown to customers',
    enableSorting: false,
    meta: { className: 'max-sm:col-span-2', width: 90 },
    cell: ({ row: { original: ad } }) => <Standing ad={ad} />,
  }),
  column.accessor((ad) => statusNames[ad.status], { id: 'status', header: 'Status', meta: { width: 70 } }),
  column.accessor('adsStartDate', { header: 'First day', meta: { width: 80 }, cell: ({ getValue }) => formatCalendarDay(getValue()) }),
  column.accessor('adsEndDate', { header: 'Last day', meta: { width: 80 }, cell: ({ getValue }) => formatCalendarDay(getValue()) }),
  column.accessor('createdByName', {
    header: 'Created by',
    meta: { className: 'whitespace-normal sm:min-w-36 wrap-anywhere', width: 120 },
    cell: ({ row: { original: ad } }) => (
      <span title={ad.createdBy}>
        {ad.createdByName}
        <span className="block text-12 text-ink-3">{formatDay(ad.createdOn)}</span>
      </span>
    ),
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    meta: { numeric: true, record: 'action', width: 110 },
    cell: ({ row: { original: ad } }) => (
      <span className="inline-flex items-center gap-2">
        <ButtonLink small icon={Pencil} to={`?edit=${ad.adsid}`} aria-label={`Edit ${ad.title}`}>
          Edit
        </ButtonLink>
        <DeleteAd ad={ad} />
      </span>
    ),
  }),
])

function Standing({ ad }: { ad: Ad }) {
  const standing = getStanding(ad)
  if (standing === 'shown')
    return (
      <Status kind="run" spoken="">
        Shown now
      </Status>
    )
  if (standing === 'to come')
    return (
      <Status kind="wait" spoken="">
        From {formatCalendarDay(ad.adsStartDate)}
      </Status>
    )
  return <span className="text-ink-3">{standing === 'over' ? 'No, its days are over' : 'No'}</span>
}
