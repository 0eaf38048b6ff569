import type { FirmwareRelease } from '@lectern/contract/firmware/firmware.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { formatDay } from '../lib/format.ts'
import { Status } from '../ui/feedback/status.tsx'
import { fileSize } from '../ui/form/file-size.ts'
import { columnHelper } from '../ui/table/table-columns.ts'
import { ReleaseActions } from './release-actions.tsx'

/** A release, and whether it is what "latest" means for its model now. */
export type ListedRelease = FirmwareRelease & { isLatest: boolean }

const column = columnHelper<ListedRelease>()

/** The server has put them in order: models, and of each the newest first. */
export const releaseColumns = column.columns([
  column.accessor('version', {
    header: 'Release',
    enableSorting: false,
    meta: { className: 'min-w-56 whitespace-normal wrap-anywhere py-2 max-sm:col-span-full', record: 'title', width: 200 },
    cell: ({ row: { original: release } }) => (
      <>
        <b className="block font-semibold">
          {release.device} <span className="mono">{release.version}</span>
        </b>
        {release.notes && <span className="block max-w-120 whitespace-pre-line text-ink-2">{release.notes}</span>}
      </>
    ),
  }),
  column.accessor('isOffered', {
    header: 'For customers',
    enableSorting: false,
    meta: { width: 90 },
    cell: ({ row: { original: release } }) => <Standing release={release} />,
  }),
  column.accessor('zoneCount', {
    header: 'Zones',
    enableSorting: false,
    meta: { numeric: true, width: 40 },
    cell: ({ getValue }) => formatNumber(getValue()),
  }),
  column.accessor('fileName', {
    header: 'File',
    enableSorting: false,
    meta: { className: 'min-w-40 whitespace-normal wrap-anywhere max-sm:col-span-full', width: 140 },
    cell: ({ row: { original: release } }) => (
      <>
        <span className="mono block">{release.fileName}</span>
        <span className="block text-12 text-ink-3">{fileSize(release.size)}</span>
      </>
    ),
  }),
  column.accessor('createdOn', {
    header: 'Uploaded',
    enableSorting: false,
    meta: { className: 'whitespace-normal wrap-anywhere max-sm:col-span-full', width: 120 },
    cell: ({ row: { original: release } }) => (
      <>
        <span className="block whitespace-nowrap">{formatDay(release.createdOn)}</span>
        <span className="block text-12 text-ink-3">{release.createdBy}</span>
      </>
    ),
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    meta: { numeric: true, record: 'action', width: 110 },
    cell: ({ row: { original: release } }) => <ReleaseActions release={release} />,
  }),
])

function Standing({ release: { isOffered, isLatest } }: { release: ListedRelease }) {
  if (!isOffered) return <span className="text-ink-3">Withdrawn</span>
  return (
    <Status kind="ok" spoken="">
      {isLatest ? 'Latest' : 'Offered'}
    </Status>
  )
}
