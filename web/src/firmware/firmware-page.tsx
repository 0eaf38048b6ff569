import { updateModels } from '@lectern/contract/devices/device-models.ts'
import type { FirmwareRelease } from '@lectern/contract/firmware/firmware.ts'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Select } from '../ui/input/select.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { Table } from '../ui/table/table.tsx'
import { type ListedRelease, releaseColumns } from './release-columns.tsx'
import { ReleaseUpload } from './release-upload.tsx'

const list = paths.releases()
const everyModel = 'all'
const modelChoices = [{ value: everyModel, label: 'All models' }, ...updateModels.map((model) => ({ value: model, label: model }))]

/** `/admin/firmware`: the vendor's staff keep the firmware releases. `?edit=new` shows the upload in the list's place, `?model=` those of one. */
export default function FirmwarePage() {
  useDocumentTitle('Firmware releases')
  const [address] = useSearchParams()
  const isNew = address.get('edit') === 'new'
  const { data, isError, isFetching, refetch } = useQuery({ ...q('listFirmwareReleases', {}), enabled: !isNew })

  return (
    <>
      {isNew && <BackStrip to={list} label="All releases" />}
      <Page>
        <PageHead
          title="Firmware releases"
          intro="What customers can publish to the readers of their zones."
          actions={
            !isNew && (
              <ButtonLink to="?edit=new" variant="primary" icon={Plus}>
                New release
              </ButtonLink>
            )
          }
        />
        {isNew ? (
          <ReleaseUpload />
        ) : (
          <Panel flush aria-label="Releases">
            {data ? (
              <ReleaseTable releases={data} />
            ) : isError ? (
              <ErrorPanel message="Error loading firmware releases" onRetry={refetch} retrying={isFetching} />
            ) : (
              <p className="p-4" role="status">
                Loading...
              </p>
            )}
          </Panel>
        )}
      </Page>
    </>
  )
}

function ReleaseTable({ releases }: { releases: FirmwareRelease[] }) {
  const [address, setAddress] = useSearchParams()
  const model = address.get('model') ?? everyModel
  const rows = useMemo(() => listed(releases).filter(({ device }) => model === everyModel || device === model), [releases, model])
  const first = <ButtonLink to="?edit=new" variant="link" children="Upload the first one" />
  if (releases.length === 0) return <EmptyState action={first}>No releases yet.</EmptyState>
  return (
    <Table
      label="Release table"
      columns={releaseColumns}
      rows={rows}
      rowId={({ id }) => id}
      tools={
        <Select
          label="Model"
          className="sm:w-48"
          options={modelChoices}
          value={model}
          onChange={(value) => setAddress(value === everyModel ? {} : { model: value }, { replace: true })}
        />
      }
      empty={<EmptyState action={first}>No releases for {model} yet.</EmptyState>}
    />
  )
}

/** Marks of each model the newest that is offered. */
function listed(releases: readonly FirmwareRelease[]): ListedRelease[] {
  const latest = new Map<string, string>()
  for (const { id, device, isOffered } of releases) if (isOffered && !latest.has(device)) latest.set(device, id)
  return releases.map((release) => ({ ...release, isLatest: latest.get(release.device) === release.id }))
}
