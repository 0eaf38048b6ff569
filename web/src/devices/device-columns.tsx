import '../ui/button/button.css'
import '../ui/table/table.css'
import type { Device, DeviceColumn } from '@lectern/contract/devices/devices.ts'
import { Link } from 'react-router'
import { useLinkState } from '../lib/list-address.ts'
import { paths } from '../paths.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { formatBattery } from '../ui/feedback/battery-gauge.tsx'
import { Ellipsis } from '../ui/feedback/ellipsis.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { Battery, cutBattery, notSet, orNotSet, ReadingStatus } from './device-readings.tsx'
import { formatLastUpdated } from './last-updated.ts'
import { readLastSeen, readWarranty } from './thresholds.ts'

/** A sortable column's id is the API's sort field (spec §9). */
const sortable = (field: DeviceColumn) => ({ id: field, enableSorting: true })

const column = columnHelper<Device>()

const renderMono = (value: string | undefined) => orNotSet(value, <span className="mono">{value}</span>)

const renderName = (value: string | undefined, className?: string) =>
  orNotSet(value, <Ellipsis className={className}>{value ?? ''}</Ellipsis>)

const rateLastSeen = ({ lastSeen }: Device) => readLastSeen(lastSeen, new Date())
const rateWarranty = ({ warrantyRemaining }: Device) => readWarranty(warrantyRemaining, new Date())

const cfg = column.accessor(({ currentConfig }) => currentConfig || notSet, {
  id: 'CFG',
  header: 'CFG',
  enableSorting: false,
  meta: { className: 'table-name order-2', width: 80, from: 'wide' },
  cell: ({ row: { original: device } }) => renderName(device.currentConfig),
})

/** Spec §9. CFG is shown only where the configuration library is on. The value of a column is what its cell says. */
export const deviceColumns = ({ hasCfg }: { hasCfg: boolean }) =>
  column.columns([
    column.accessor('deviceType', {
      ...sortable('DeviceType'),
      header: 'Device (Model)',
      meta: { className: 'font-semibold', record: 'title', width: 56 },
    }),
    column.accessor(
      ({ serialNumber, simulated, drifted }) => [serialNumber, simulated && 'Simulated', drifted && 'Drifted'].filter(Boolean).join(' '),
      {
        ...sortable('DeviceSerialNumber'),
        header: 'Serial Number',
        meta: { record: 'subtitle', width: 84 },
        cell: ({ row: { original: device } }) => <SerialNumber device={device} />,
      },
    ),
    column.accessor(({ zone }) => zone || notSet, {
      ...sortable('Location'),
      header: 'Zone',
      meta: { className: 'table-name', record: 'aside', width: 96 },
      cell: ({ row: { original: device } }) => renderName(device.zone),
    }),
    column.accessor(({ host }) => host || notSet, {
      ...sortable('Host'),
      header: 'Host PC',
      meta: { className: 'text-ink-2 table-name order-2', width: 92, from: 'wide' },
      cell: ({ row: { original: device } }) => renderName(device.host, 'mono'),
    }),
    ...(hasCfg ? [cfg] : []),
    column.accessor(({ currentFirmware }) => currentFirmware || notSet, {
      ...sortable('DeviceFirmwareVersion'),
      header: 'Firmware',
      meta: { record: 'note', width: 44, from: 'medium' },
      cell: ({ row: { original: device } }) => renderMono(device.currentFirmware),
    }),
    column.accessor(({ lastUpdatedDate }) => formatLastUpdated(lastUpdatedDate), {
      id: 'LastUpdated',
      header: 'Last Updated',
      enableSorting: false,
      meta: { className: 'text-ink-2 order-2', recordLabel: 'Last Updated', width: 72, from: 'widest' },
    }),
    column.accessor((device) => rateLastSeen(device).text, {
      ...sortable('LastSeen'),
      header: 'Last Seen (days)',
      sortDescFirst: true,
      meta: { recordLabel: 'Seen, days', className: 'order-1', width: 32 },
      cell: ({ row: { original: device } }) => <ReadingStatus reading={rateLastSeen(device)} />,
    }),
    column.accessor(({ batteryHealth }) => formatBattery(cutBattery(batteryHealth)), {
      ...sortable('BatteryHealth'),
      header: 'Battery Health',
      meta: { recordLabel: 'Battery', className: 'order-1', width: 62 },
      cell: ({ row: { original: device } }) => <Battery percent={device.batteryHealth} />,
    }),
    column.accessor((device) => rateWarranty(device).text, {
      id: 'Warranty',
      header: 'Warranty (months)',
      enableSorting: false,
      meta: { recordLabel: 'Warranty, mo', className: 'order-1', width: 40, from: 'large' },
      cell: ({ row: { original: device } }) => <ReadingStatus reading={rateWarranty(device)} />,
    }),
  ])

function SerialNumber({ device: { serialNumber, drifted, simulated } }: { device: Device }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Link className="link mono inline-flex min-h-6 items-center" to={paths.device({ serialNumber })} state={useLinkState()}>
        <bdi>{serialNumber}</bdi>
      </Link>
      {simulated && <Badge kind="simulated">Simulated</Badge>}
      {drifted && (
        <Status kind="warn" spoken="">
          Drifted
        </Status>
      )}
    </span>
  )
}
