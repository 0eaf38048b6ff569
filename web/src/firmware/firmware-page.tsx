import { updateModels } from '@lectern/contract/devices/device-models.ts'
import type { FirmwareRelease } from '@lectern/contract/firmware/firmware.ts'
import { formatFileSize } from '@lectern/contract/text/file-size.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useEdited } from '../lib/edited.ts'
import { formatDay } from '../lib/format.ts'
import { listAddress, oneOf, useList } from '../lib/list-address.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { Select } from '../ui/input/select.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { QueryTable } from '../ui/table/query-table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { ReleaseActions } from './release-actions.tsx'

const ReleaseUpload = lazyPart(async () => (await import('./release-upload.tsx')).ReleaseUpload)

export const releasesAddress = listAddress({ filters: { model: oneOf(['all', ...updateModels]) } })

const modelChoices = [{ value: 'all', label: 'All models' }, ...updateModels.map((model) => ({ value: model, label: model }))] as const

export default function FirmwarePage() {
  useDocumentTitle('Firmware releases')
  const { isNew } = useEdited<FirmwareRelease>(undefined, ({ id }) => id)
  return (
    <>
      {isNew && <BackStrip to={paths.releases()} label="All releases" />}
      <Page>
        <PageHead
          title="Firmware releases"
          intro="What customers can publish to the readers of their zones."
          actions={!isNew && <ButtonLink to="?edit=new" variant="primary" icon={Plus} children="New release" />}
        />
        {isNew ? <ReleaseUpload /> : <ReleaseList />}
      </Page>
    </>
  )
}

function ReleaseList() {
  const list = useList(releasesAddress)
  const { model } = list.state
  const query = useQuery(q('listFirmwareReleases', {}))
  const { data } = query
  const rows = useMemo(() => markLatest(data ?? []).filter(({ device }) => model === 'all' || device === model), [data, model])
  return (
    <Panel flush aria-label="Releases">
      <QueryTable
        label="Release table"
        query={query}
        columns={columns}
        rows={() => rows}
        rowId={({ id }) => id}
        failed="Error loading firmware releases"
        tools={
          data &&
          data.length > 0 && (
            <Select
              label="Model"
              className="sm:w-48"
              options={modelChoices}
              value={model}
              onChange={(next) => list.show({ model: next as typeof model })}
            />
          )
        }
        empty={
          <EmptyState action={<ButtonLink to="?edit=new" variant="link" children="Upload the first one" />}>
            {model === 'all' || data?.length === 0 ? 'No releases yet.' : `No releases for ${model} yet.`}
          </EmptyState>
        }
      />
    </Panel>
  )
}

interface ListedRelease extends FirmwareRelease {
  isLatest: boolean
}

function markLatest(releases: readonly FirmwareRelease[]): ListedRelease[] {
  const latest = new Map<string, string>()
  for (const { id, device, isOffered } of releases) if (isOffered && !latest.has(device)) latest.set(device, id)
  return releases.map((release) => ({ ...release, isLatest: latest.get(release.device) === release.id }))
}

const column = columnHelper<ListedRelease>()

// The server sorts them: by model, newest first.
const columns = column.columns([
  column.accessor('version', {
    header: 'Release',
    enableSorting: false,
    meta: { className: 'table-main whitespace-normal wrap-anywhere max-sm:col-span-full', record: 'title', width: 200 },
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
    cell: ({ row: { original: release } }) =>
      release.isOffered ? (
        <Status kind="ok" spoken="" children={release.isLatest ? 'Latest' : 'Offered'} />
      ) : (
        <span className="text-ink-3">Withdrawn</span>
      ),
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
    meta: { className: 'whitespace-normal wrap-anywhere max-sm:col-span-full', width: 140, from: 'large' },
    cell: ({ row: { original: release } }) => (
      <>
        <span className="mono block">{release.fileName}</span>
        <span className="block text-12 text-ink-3">{formatFileSize(release.size)}</span>
      </>
    ),
  }),
  column.accessor('createdOn', {
    header: 'Uploaded',
    enableSorting: false,
    meta: { className: 'whitespace-normal wrap-anywhere max-sm:col-span-full', width: 120, from: 'medium' },
    cell: ({ row: { original: release } }) => (
      <>
        <span className="block whitespace-nowrap">{formatDay(release.createdOn)}</span>
        <span className="block text-12 text-ink-3" title={release.createdBy}>
          {release.createdByName}
        </span>
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
