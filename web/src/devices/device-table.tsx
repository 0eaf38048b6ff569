import type { Device } from '@lectern/contract/devices/devices.ts'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useFeatureFlag } from '../lib/feature-flags.ts'
import { Button } from '../ui/button/button.tsx'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { StaleNotice } from '../ui/feedback/stale-notice.tsx'
import { Pager } from '../ui/table/pager.tsx'
import { Table } from '../ui/table/table.tsx'
import { deviceColumns, deviceSort, tableSort } from './device-columns.tsx'
import { type DeviceList, firstList, type Metric } from './device-list.ts'
import { useDevicePage } from './use-device-page.ts'

const none: Device[] = []

const emptySentence: Record<Metric, string> = {
  all: 'No readers yet. They appear when the host PC of a zone reports them.',
  offline: 'No reader is offline.',
  battery: 'No reader has a battery below 25%.',
  warranty: 'No reader’s warranty has expired or ends within 3 months.',
  drifted: 'No reader has drifted.',
}

type DeviceTableProps = {
  organizationId: string
  list: DeviceList
  onList: (list: DeviceList, how?: { replace: boolean }) => void
  search: ReactNode
  tools: ReactNode
}

/** The readers a list shows: paged and sorted by the server, refreshed while somebody looks. */
export function DeviceTable({ organizationId, list, onList, search, tools }: DeviceTableProps) {
  const showCfg = useFeatureFlag('showConfigurationLibrary')
  const columns = useMemo(() => deviceColumns({ showCfg }), [showCfg])
  const sort = useMemo(() => tableSort(list.sort), [list.sort])
  const { data, isError, isFetching, isPlaceholderData, refetch } = useDevicePage(organizationId, list)
  const pages = data && Math.max(1, Math.ceil(data.totalCount / list.size))
  const text = list.text.trim()

  // Readers may have gone since the address was written.
  useEffect(() => {
    if (pages !== undefined && !isPlaceholderData && list.page >= pages) onList({ ...list, page: pages - 1 }, { replace: true })
  }, [pages, isPlaceholderData, list, onList])

  const failed = <ErrorPanel message="Error loading devices" onRetry={refetch} retrying={isFetching} />
  return (
    <>
      {data && isError && <StaleNotice message="Error loading devices." onRetry={refetch} retrying={isFetching} />}
      <Table
        label="Device table"
        columns={columns}
        rows={data?.deviceList ?? none}
        rowId={(device) => device.serialNumber}
        sort={sort}
        onSort={(next) => onList({ ...list, sort: deviceSort(next), page: 0 })}
        search={search}
        tools={tools}
        dimmed={isPlaceholderData}
        loading={data || isError ? 0 : list.size}
        empty={isError ? failed : <NoDevices list={list} onList={onList} />}
      />
      {data && data.totalCount > 0 && (
        <Pager
          page={list.page + 1}
          pageSize={list.size}
          total={data.totalCount}
          noun={`${data.totalCount === 1 ? 'device' : 'devices'}${text === '' ? '' : ` matching “${text}”`}`}
          onPage={(page) => onList({ ...list, page: page - 1 })}
          onPageSize={(size) => onList({ ...list, size, page: 0 })}
        />
      )}
    </>
  )
}

function NoDevices({ list, onList }: Pick<DeviceTableProps, 'list' | 'onList'>) {
  const text = list.text.trim()
  if (text === '' && list.metric === 'all') return <EmptyState>{emptySentence.all}</EmptyState>
  return (
    <EmptyState
      action={
        <Button variant="link" onClick={() => onList({ ...firstList, sort: list.sort, size: list.size })}>
          {text === '' ? 'Show all devices' : 'Clear search'}
        </Button>
      }
    >
      {text === '' ? emptySentence[list.metric] : `No readers match “${text}”.`}
    </EmptyState>
  )
}
