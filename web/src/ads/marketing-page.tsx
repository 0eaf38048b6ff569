import type { Ad } from '@lectern/contract/ads.ts'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { q, useMutation } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useEdited } from '../lib/edited.ts'
import { formatCalendarDay, formatDay } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { useConfirmDelete } from '../ui/dialog/confirm-delete.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { QueryTable } from '../ui/table/query-table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { getStanding, statusNames } from './ad-standing.ts'

const AdForm = lazyPart(async () => (await import('./ad-form.tsx')).AdForm)

export default function MarketingPage() {
  useDocumentTitle('Marketing')
  const query = useQuery(q('listAds', {}))
  const { edited, isNew, record } = useEdited(query.data, ({ adsid }) => adsid)

  return (
    <>
      {edited !== null && <BackStrip to={paths.marketing()} label="All ads" />}
      <Page>
        <PageHead
          title="Marketing"
          intro="Ads that customers see beside their products."
          actions={edited === null && <ButtonLink to="?edit=new" variant="primary" icon={Plus} children="New ad" />}
        />
        {isNew || record ? (
          <AdForm key={edited} ad={record} />
        ) : (
          <Panel flush aria-label="Ads">
            <QueryTable
              label="Ad table"
              query={query}
              columns={columns}
              rows={(ads) => (edited === null ? ads : none)}
              rowId={(ad) => String(ad.adsid)}
              failed="Error loading ads"
              empty={edited === null ? noAds : noSuchAd}
            />
          </Panel>
        )}
      </Page>
    </>
  )
}

const none: Ad[] = []

const noAds = <EmptyState action={<ButtonLink to="?edit=new" variant="link" children="Create the first one" />} children="No ads yet." />

const noSuchAd = (
  <EmptyState action={<ButtonLink to={paths.marketing()} variant="link" children="All ads" />}>
    There is no such ad. It may have been deleted.
  </EmptyState>
)

const column = columnHelper<Ad>()

const columns = column.columns([
  column.accessor('title', {
    header: 'Title',
    meta: { className: 'table-main whitespace-normal wrap-anywhere max-sm:col-span-full', record: 'title', width: 160 },
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
    cell: ({ row: { original: ad } }) => <Actions ad={ad} />,
  }),
])

function Standing({ ad }: { ad: Ad }) {
  const standing = getStanding(ad)
  if (standing === 'shown') return <Status kind="run" spoken="" children="Shown now" />
  if (standing === 'to come') return <Status kind="wait" spoken="" children={`From ${formatCalendarDay(ad.adsStartDate)}`} />
  return <span className="text-ink-3">{standing === 'over' ? 'No, it has ended' : 'No'}</span>
}

function Actions({ ad }: { ad: Ad }) {
  const confirmDelete = useConfirmDelete()
  const { mutateAsync } = useMutation('deleteAd', { errorInPlace: true })
  const isShown = getStanding(ad) === 'shown'
  const ask = () =>
    confirmDelete({
      resource: 'Ad',
      label: ad.title,
      title: `the ad “${ad.title}”`,
      consequence: `${isShown ? 'Customers see it now. It disappears for them at once.' : 'No customer sees it now.'} This cannot be undone.`,
      delete: () => mutateAsync({ params: { id: ad.adsid } }),
    })
  return (
    <span className="inline-flex items-center gap-2">
      <ButtonLink small icon={Pencil} to={`?edit=${ad.adsid}`} aria-label={`Edit ${ad.title}`} children="Edit" />
      <IconButton small bad icon={Trash2} label={`Delete ${ad.title}`} onClick={ask} />
    </span>
  )
}
