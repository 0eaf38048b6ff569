import type { Device, DeviceColumn, DeviceSort } from '@lectern/contract/devices/devices.ts'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { paths } from '../paths.ts'
import { Status } from '../ui/feedback/status.tsx'
import { columnHelper, type Sort } from '../ui/table/table-columns.ts'
import type { CameFrom } from './device-address.ts'
import { Battery, ReadingStatus } from './device-readings.tsx'
import { lastUpdatedDay } from './last-updated.ts'
import { lastSeenReading, type Reading, warrantyReading } from './thresholds.ts'

/** Each sortable column's id is the sort field the server knows (spec §9). */
const sortable = (field: DeviceColumn) => ({ id: field, enableSorting: true })

const column = columnHelper<Device>()

const orNotSet = (value: string | undefined, shown: ReactNode = value) => (value ? shown : <span className="text-ink-3">Not set</span>)
const mono = (value: string | undefined) => orNotSet(value, <span className="mono">{value}</span>)

const reading = (shown: Reading) => <ReadingStatus reading={shown} />

const cfg = column.accessor('currentConfig', {
  header: 'CFG',
  enableSorting: false,
  meta: { className: 'whitespace-normal wrap-anywhere order-2', width: 80 },
  cell: ({ getValue }) => orNotSet(getValue()),
})

/** The dashboard's columns (spec §9); CFG only where the configuration library is on. */
export const deviceColumns = ({ showCfg }: { showCfg: boolean }) =>
  column.columns([
    column.accessor('deviceType', {
      ...sortable('DeviceType'),
      header: 'Device (Model)',
      meta: { className: 'font-semibold', record: 'title', width: 56 },
    }),
    column.accessor('serialNumber', {
      ...sortable('DeviceSerialNumber'),
      header: 'Serial Number',
      meta: { record: 'subtitle', width: 84 },
      cell: ({ row: { original: device } }) => <SerialNumber device={device} />,
    }),
    column.accessor('zone', {
      ...sortable('Location'),
      header: 'Zone',
      meta: { className: 'whitespace-normal wrap-anywhere sm:min-w-24', record: 'aside', width: 96 },
      cell: ({ getValue }) => orNotSet(getValue()),
    }),
    column.accessor('host', {
      ...sortable('Host'),
      header: 'Host PC',
      meta: { className: 'whitespace-normal wrap-anywhere text-ink-2 sm:min-w-24 order-2', width: 92 },
      cell: ({ getValue }) => mono(getValue()),
    }),
    ...(showCfg ? [cfg] : []),
    column.accessor('currentFirmware', {
      ...sortable('DeviceFirmwareVersion'),
      header: 'Firmware',
      meta: { record: 'note', width: 44 },
      cell: ({ getValue }) => mono(getValue()),
    }),
    column.accessor('lastUpdatedDate', {
      header: 'Last Updated',
      enableSorting: false,
      meta: { className: 'text-ink-2 order-2', recordLabel: 'Last Updated', width: 72 },
      cell: ({ getValue }) => lastUpdatedDay(getValue()),
    }),
    column.accessor('lastSeen', {
      ...sortable('LastSeen'),
      header: 'Last Seen (days)',
      sortDescFirst: true,
      meta: { recordLabel: 'Seen, days', className: 'order-1', width: 32 },
      cell: ({ getValue }) => reading(lastSeenReading(getValue(), new Date())),
    }),
    column.accessor('batteryHealth', {
      ...sortable('BatteryHealth'),
      header: 'Battery Health',
      meta: { recordLabel: 'Battery', className: 'order-1', width: 62 },
      cell: ({ row: { original: device } }) => <Battery percent={device.batteryHealth} />,
    }),
    column.accessor('warrantyRemaining', {
      header: 'Warranty (months)',
      enableSorting: false,
      meta: { recordLabel: 'Warranty, mo', className: 'order-1', width: 40 },
      cell: ({ getValue }) => reading(warrantyReading(getValue(), new Date())),
    }),
  ])

/** The way to the reader's page, and whether it has drifted. */
function SerialNumber({ device: { serialNumber, drifted } }: { device: Device }) {
  const { search } = useLocation()
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Link className="link mono" to={paths.device({ serialNumber })} state={{ dashboard: search } satisfies CameFrom}>
        <bdi>{serialNumber}</bdi>
      </Link>
      {drifted && <DriftMark />}
    </span>
  )
}

const DriftMark = () => (
  <Status kind="warn" spoken="">
    Drifted
  </Status>
)

/** The table's sort and the server's: columns are named alike, only directions are said differently. */
export const tableSort = ({ ColumnName, Direction }: DeviceSort): Sort => ({ id: ColumnName, descending: Direction === 'Descending' })
export const deviceSort = ({ id, descending }: Sort): DeviceSort => ({
  ColumnName: id as DeviceColumn,
  Direction: descending ? 'Descending' : 'Ascending',
})
