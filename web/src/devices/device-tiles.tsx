import type { DeviceTotals } from '@lectern/contract/devices/devices.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { formatShare } from '../lib/share.ts'
import { type Tile, Tiles } from '../ui/layout/tiles.tsx'
import type { Metric } from './device-list.ts'
import { refreshEvery } from './refresh.ts'

interface DeviceTilesProps {
  organizationId: string
  metric: Metric
  onMetric: (metric: Metric) => void
}

export function DeviceTiles({ organizationId, metric, onMetric }: DeviceTilesProps) {
  const params = { organizationId }
  const totals = useQuery({ ...q('getDeviceTotals', { params }), refetchInterval: refreshEvery })
  const { data: summary } = useQuery(q('getOrganizationSummary', { params }))
  const count = (name: keyof DeviceTotals) => (totals.isError ? 'error' : (totals.data?.[name] ?? 'loading'))
  const all = totals.isError ? undefined : totals.data?.allDevices

  const part = (value: Metric, label: string, name: keyof DeviceTotals, condition: string): Tile<Metric> => ({
    value,
    label,
    count: count(name),
    detail: (
      <>
        {all !== undefined && <b>{formatShare(totals.data?.[name] ?? 0, all)} of fleet</b>}
        {condition}
      </>
    ),
  })
  return (
    <Tiles
      label="Filter devices"
      value={metric}
      onChange={onMetric}
      tiles={[
        {
          value: 'all',
          label: 'All Devices',
          count: count('allDevices'),
          detail: (
            <>
              {summary && <b>{counted(summary.zones, 'zone')}</b>}
              {summary && counted(summary.models, 'model')}
            </>
          ),
        },
        part('offline', 'Offline', 'offline', 'not seen for over 72 hours'),
        part('battery', 'Battery Health', 'batteryHealth', 'below 25%'),
        part('warranty', 'Warranty Expirations', 'warrantyExpirations', 'within 3 months'),
      ]}
    />
  )
}
