import './device-page.css'
import type { Device } from '@lectern/contract/devices/devices.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { CallError } from '../lib/api/call-error.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { formatCalendarDay, formatMinute } from '../lib/format.ts'
import { useListQuery } from '../lib/list-address.ts'
import { usePermission } from '../lib/session.ts'
import { paths } from '../paths.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { NotFound } from '../ui/feedback/not-found.tsx'
import { orNotSet } from '../ui/feedback/or-not-set.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { lazyExtra } from '../ui/lazy.tsx'
import { DeviceConfiguration, DeviceFirmware, useDeviceConfiguration, useDeviceFirmware } from './device-content.tsx'
import { DeviceHistory, useDeviceEvents } from './device-history.tsx'
import { Battery, ReadingStatus } from './device-readings.tsx'
import { readSerial } from './device-serial.ts'
import { refreshEvery } from './refresh.ts'
import { readLastSeen, readWarranty } from './thresholds.ts'

const DeskRecords = lazyExtra(async () => (await import('../desk/desk-records.tsx')).DeskRecords)
const DeleteDevice = lazyExtra(async () => (await import('./delete-device.tsx')).DeleteDevice)

export default function DevicePage() {
  const serialNumber = readSerial(useLocation().pathname)
  const back = paths.devices(useListQuery())
  return (
    <>
      <BackStrip to={back} label="My Devices" />
      <Page>{serialNumber ? <Reader key={serialNumber} serialNumber={serialNumber} back={back} /> : <ReaderNotFound />}</Page>
    </>
  )
}

function Reader({ serialNumber, back }: { serialNumber: string; back: string }) {
  useDocumentTitle(serialNumber)
  const params = { organizationId: useOrganization(), serialNumber }
  const query = useQuery({ ...q('getDevice', { params }), refetchInterval: refreshEvery })
  const configuration = useDeviceConfiguration(params)
  const firmware = useDeviceFirmware(params)
  const events = useDeviceEvents(params)
  const canDelete = usePermission('manage:firmware')
  if (!query.data && query.error instanceof CallError && [400, 404].includes(Number(query.error.status))) return <ReaderNotFound />

  return (
    <QueryStates query={query} failed="Error loading the reader">
      {(device) => (
        <>
          <PageHead
            trail={device.deviceType}
            title={<bdi className="mono wrap-anywhere">{serialNumber}</bdi>}
            intro={
              <>
                {device.simulated && <span data-simulated>This reader is simulated: it does not exist. </span>}
                What this reader should run, what it reports, and what became of it.
              </>
            }
            actions={canDelete && device.removable && <DeleteDevice device={device} back={back} />}
          />
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
            <div className="grid min-w-0 gap-4">
              <DeviceConfiguration device={device} query={configuration} />
              <DeviceFirmware device={device} query={firmware} />
              <DeskRecords serialNumber={serialNumber} />
              <DeviceHistory serialNumber={serialNumber} query={events} />
            </div>
            <aside className="grid gap-4" aria-label="Reader">
              <Facts title="State" items={listState(device)} />
              <Facts title="Identity" items={listIdentity(device)} />
            </aside>
          </div>
        </>
      )}
    </QueryStates>
  )
}

type Fact = [term: string, value: ReactNode]

const Facts = ({ title, items }: { title: string; items: Fact[] }) => (
  <Panel title={title}>
    <DefinitionList left items={items} />
  </Panel>
)

function listState(device: Device): Fact[] {
  const now = new Date()
  return [
    ['Last Seen', <Instant of={device.lastSeen} />],
    ['Days since', <ReadingStatus reading={readLastSeen(device.lastSeen, now)} />],
    ['Battery Health', <Battery percent={device.batteryHealth} />],
    ['Firmware', <span className="mono">{orNotSet(device.currentFirmware)}</span>],
    ['Warranty (months)', <ReadingStatus reading={readWarranty(device.warrantyRemaining, now)} />],
    ['Last Updated', <Instant of={device.lastUpdatedDate} />],
  ]
}

const listIdentity = (device: Device): Fact[] => [
  ['Model', device.deviceType],
  ['Serial number', <bdi className="mono wrap-anywhere">{device.serialNumber}</bdi>],
  ['Zone', <span className="wrap-anywhere">{orNotSet(device.zone)}</span>],
  [
    'Host PC',
    <>
      <span className="mono wrap-anywhere">{orNotSet(device.host)}</span> {device.simulated && <Badge kind="simulated">Simulated</Badge>}
    </>,
  ],
  ['Warranty until', device.warrantyRemaining ? formatCalendarDay(device.warrantyRemaining) : orNotSet(undefined)],
]

const Instant = ({ of }: { of: string }) => <time dateTime={of}>{formatMinute(of)}</time>

function ReaderNotFound() {
  useDocumentTitle('Reader not found')
  return (
    <NotFound title="Reader not found" to={paths.devices()} back="My Devices">
      No host PC of your organization has reported this serial number. The link may have been cut short.
    </NotFound>
  )
}
