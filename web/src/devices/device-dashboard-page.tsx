import type { DeviceCount } from '@lectern/contract/devices/devices.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { useApi } from '../lib/api/api.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useFeatureFlag } from '../lib/feature-flags.ts'
import { saveFile } from '../lib/files/save-file.ts'
import { pageQuery, useList } from '../lib/list-address.ts'
import { LimitNote } from '../people/limit-note.tsx'
import { Button } from '../ui/button/button.tsx'
import { useTask } from '../ui/button/task-button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { LazyRows } from '../ui/table/lazy-rows.tsx'
import { ListSearch } from '../ui/table/list-search.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { deviceColumns } from './device-columns.tsx'
import { deviceQuery, devicesAddress, type Metric } from './device-list.ts'
import { DeviceTiles } from './device-tiles.tsx'
import type { ExportFormat } from './export-choice.tsx'
import { lastUpdatedZone } from './last-updated.ts'
import { refreshEvery } from './refresh.ts'
import { SimulatedNotice } from './simulated-notice.tsx'

const empty: Record<Metric, string> = {
  all: 'No readers yet. They appear when the host PC of a zone reports them.',
  offline: 'No reader is offline.',
  battery: 'No reader has a battery below 25%.',
  warranty: 'No reader’s warranty has expired or ends within 3 months.',
  drifted: 'No reader has drifted.',
}

export default function DeviceDashboardPage() {
  useDocumentTitle('Device Dashboard')
  const organizationId = useOrganization()
  const list = useList(devicesAddress)
  const { show, search } = list.state
  const setMetric = (metric: Metric) => list.show({ show: metric, search: '' })
  const hasCfg = useFeatureFlag('showConfigurationLibrary')
  const columns = useMemo(() => deviceColumns({ hasCfg }), [hasCfg])
  const query = useDevices(organizationId, list.state)
  const text = search.trim()

  return (
    <Page>
      <PageHead
        title="Device Dashboard"
        intro="Every reader that your host PCs report. A tile filters the list; a search replaces the tile."
      />
      <DeviceTiles organizationId={organizationId} metric={show} onMetric={setMetric} />
      <SimulatedNotice organizationId={organizationId} />
      <DriftNotice organizationId={organizationId} metric={show} onMetric={setMetric} />
      <Panel flush aria-label="Devices">
        <PagedTable
          label="Device table"
          noun={['device', 'devices']}
          list={list}
          query={query}
          columns={columns}
          rows={({ deviceList }) => deviceList}
          rowId={({ serialNumber }) => serialNumber}
          Rows={LazyRows}
          failed="Error loading devices"
          search={
            <ListSearch
              list={{ ...list, show: (change, how) => list.show({ show: 'all', ...change }, how) }}
              isReplaced={show !== 'all'}
              label="Search devices"
              placeholder="device, zone, etc..."
              clearLabel={show === 'all' ? 'Clear search' : undefined}
            />
          }
          tools={
            <>
              <span className="toolbar-note">Last Updated is shown in {lastUpdatedZone}</span>
              <ExportDevices organizationId={organizationId} list={list.state} />
            </>
          }
          empty={<EmptyState action={<LimitNote />}>{empty.all}</EmptyState>}
          noMatch={text === '' ? empty[show] : `No readers match “${text}”.`}
          showAll={text === '' ? 'Show all devices' : 'Clear search'}
        />
      </Panel>
    </Page>
  )
}

type DeviceList = typeof devicesAddress.first

/** In a search, a page is read before its count. The pages before and after the shown one are prefetched (spec §4). */
function useDevices(organizationId: string, list: DeviceList) {
  const client = useQueryClient()
  const pageAt = (page: number, count?: DeviceCount) =>
    q('listDevices', {
      params: { organizationId },
      query: { ...deviceQuery(list), ...pageQuery({ page, size: list.size }), ...(count && { count }) },
    })
  const counted = useQuery({
    ...pageAt(list.page),
    placeholderData: keepPreviousData,
    // Longer than a prefetched page waits, so that it is not fetched twice.
    staleTime: refreshEvery / 3,
    refetchInterval: refreshEvery,
  })
  const isCounting = counted.data === undefined || counted.isPlaceholderData
  const uncounted = useQuery({ ...pageAt(list.page, 'none'), enabled: isCounting && list.search.trim() !== '' })

  const total = counted.isPlaceholderData ? undefined : counted.data?.totalCount
  useEffect(() => {
    if (total === undefined) return
    const last = Math.ceil(total / list.size) - 1
    for (const page of [list.page + 1, list.page - 1])
      if (page >= 0 && page <= last) void client.prefetchQuery({ ...pageAt(page), staleTime: refreshEvery })
  }, [client, organizationId, list, total])
  return isCounting && uncounted.data ? { ...uncounted, error: counted.error, refetch: counted.refetch } : counted
}

interface DriftNoticeProps {
  organizationId: string
  metric: Metric
  onMetric: (metric: Metric) => void
}

function DriftNotice({ organizationId, metric, onMetric }: DriftNoticeProps) {
  const { data } = useQuery(q('getDeviceTotals', { params: { organizationId } }))
  const drifted = data?.drifted ?? 0
  if (drifted === 0) return null
  const isShown = metric === 'drifted'
  const [readers, have, publisher] =
    drifted === 1 ? ['1 reader has', 'it had', 'its zone'] : [`${formatNumber(drifted)} readers have`, 'they had', 'their zones']
  return (
    <Notice kind="warn" className="mb-4">
      <b>{readers} drifted:</b> {have} what is published in {publisher} and now {drifted === 1 ? 'runs' : 'run'} something else.{' '}
      <Button variant="link" onClick={() => onMetric(isShown ? 'all' : 'drifted')}>
        {isShown ? 'Show all devices' : drifted === 1 ? 'Show it' : 'Show them'}
      </Button>
    </Notice>
  )
}

// Names of files for where the server gives none (spec §7).
const exports = {
  workbook: ['downloadDevicesWorkbook', 'devices.xlsx'],
  csv: ['downloadDevices', 'devices.csv'],
} as const

function ExportDevices({ organizationId, list }: { organizationId: string; list: DeviceList }) {
  const api = useApi()
  const { open } = useDialog()
  const { busy, run } = useTask('Devices not exported')
  async function choose() {
    const format = await open<ExportFormat>(async (close) => {
      const { ExportChoice } = await import('./export-choice.tsx')
      return <ExportChoice close={close} />
    })
    if (!format) return
    const [name, fileName] = exports[format]
    await run(async () => saveFile(await api.download(name, { params: { organizationId }, query: deviceQuery(list) }, fileName)))
  }
  return (
    <Button icon={Download} busy={busy} busyLabel="Exporting" onClick={choose}>
      Export to Excel
    </Button>
  )
}
